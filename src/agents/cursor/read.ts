import { fstatSync } from "node:fs";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { readDocument } from "../document.ts";
import { pageParts } from "../note-parts.ts";
import { readFile, toldUnread } from "../session-file.ts";
import { agentName } from "./name.ts";
import { meant } from "./part.ts";
import { readDatabase } from "./read/database.ts";
import { partsOfText } from "./read/text-transcript.ts";
import { readTranscript } from "./read/transcript.ts";

/** The events of a conversation, or the parts of a page. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  const { kind } = meant(ref);
  if (kind === "page")
    return readDocument(ref, options, (page) => ({ parts: pageParts(agentName, page) }));
  if (kind !== "transcript") return toldUnread(readDatabase(ref, options), options);
  if (ref.path.endsWith(".txt"))
    return readDocument(ref, options, (text) => ({ parts: partsOfText(text) }));
  return readFile(ref, options, (fd) => readTranscript(fd, { end: fstatSync(fd).size, options }));
}
