import { partsOfPage } from "../../model/note-page.ts";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { readDocument } from "../document.ts";
import { frontPart, notePart } from "../note-parts.ts";

/** The parts of a page, as notes. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  return readDocument(ref, options, (page) => ({
    parts: partsOfPage(page).map(({ kind, text }) =>
      kind === "front" ? frontPart("claude-sessions", text) : notePart(text),
    ),
  }));
}
