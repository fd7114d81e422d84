import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { readDocument } from "../document.ts";
import { pageParts } from "../note-parts.ts";

/** The parts of a page, as notes. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  return readDocument(ref, options, (page) => ({ parts: pageParts("claude-sessions", page) }));
}
