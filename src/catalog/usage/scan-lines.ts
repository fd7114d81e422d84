import { readSync } from "node:fs";
import { limits } from "../../base/limits.ts";
import { newline } from "../../jsonl/line.ts";

/**
 * What is done with whole lines: a text in which every byte is one character. One text for a whole run
 * is made once and searched without leaving the engine, where a buffer is asked line by line.
 */
export type VisitLines = (text: string, place: { readonly complete: boolean }) => void;

/** Where a scan ended, and how many lines were longer than any that is looked at. */
export interface LinesScanned {
  /** Right behind the last newline. */
  readonly offset: number;
  readonly tooLong: number;
}

let shared: Buffer | undefined;

/**
 * Hands the bytes of an open file over in runs of whole lines. The last line may lack its newline: it
 * comes alone, `complete` false, and the offset stays before it.
 */
export function scanLines(fd: number, from: number, visit: VisitLines): LinesScanned {
  shared ??= Buffer.allocUnsafe(limits.chunkBytes);
  let buffer = shared;
  let offset = from;
  let filled = 0;
  let tooLong = 0;
  for (;;) {
    const taken = readSync(fd, buffer, filled, buffer.length - filled, offset + filled);
    if (taken === 0) break;
    filled += taken;
    const end = buffer.subarray(0, filled).lastIndexOf(newline) + 1;
    if (end > 0) {
      visit(buffer.toString("latin1", 0, end), { complete: true });
      buffer.copyWithin(0, end, filled);
      offset += end;
      filled -= end;
    } else if (filled === buffer.length) {
      if (filled < limits.foreignLineBytes) {
        const larger = Buffer.allocUnsafe(filled * 4);
        buffer.copy(larger, 0, 0, filled);
        buffer = larger;
      } else {
        tooLong += 1;
        const next = afterLine(fd, offset + filled, buffer);
        if (next === undefined) return { offset, tooLong };
        offset = next;
        filled = 0;
      }
    }
  }
  if (filled > 0) visit(buffer.toString("latin1", 0, filled), { complete: false });
  return { offset, tooLong };
}

function afterLine(fd: number, from: number, buffer: Buffer): number | undefined {
  for (let at = from; ; ) {
    const taken = readSync(fd, buffer, 0, buffer.length, at);
    if (taken === 0) return undefined;
    const found = buffer.subarray(0, taken).indexOf(newline);
    if (found >= 0) return at + found + 1;
    at += taken;
  }
}

/** The place of a key in each line that has it, searched for only as far as it has to be. */
export class KeySearch {
  readonly #text: string;
  readonly #key: string;
  #found = -1;

  constructor(text: string, key: string) {
    this.#text = text;
    this.#key = key;
  }

  /** Where the key first is at or after `start` and before `end`, else -1; starts must not go back. */
  within(start: number, end: number): number {
    if (this.#found < start) {
      const at = this.#text.indexOf(this.#key, start);
      this.#found = at < 0 ? Number.POSITIVE_INFINITY : at;
    }
    return this.#found < end ? this.#found : -1;
  }
}

/** Calls back with the bounds of every line. */
export function eachLine(text: string, line: (start: number, end: number) => void): void {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    line(start, end);
    start = end + 1;
  }
}
