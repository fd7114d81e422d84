import { readSync } from "node:fs";
import { limits } from "../base/limits.ts";
import { newline } from "./line.ts";

/** What is done with whole lines, which fill the buffer. */
export type VisitLines = (buffer: Buffer, place: { readonly complete: boolean }) => void;

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
  shared ??= Buffer.allocUnsafeSlow(limits.usageChunkBytes);
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
      visit(buffer.subarray(0, end), { complete: true });
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
  if (filled > 0) visit(buffer.subarray(0, filled), { complete: false });
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

/** Calls back with the bounds of every line. */
export function eachLine(buffer: Buffer, line: (start: number, end: number) => void): void {
  for (let start = 0; start < buffer.length; ) {
    const found = buffer.indexOf(newline, start);
    const end = found < 0 ? buffer.length : found;
    line(start, end);
    start = end + 1;
  }
}

/**
 * The place of a key in each line that has it. Bytes that are passed over are looked at once, and no
 * text is made of them: most lines of a session are of no interest here, and they are the long ones.
 */
export class KeySearch {
  readonly #buffer: Buffer;
  readonly #key: Buffer;
  #found = -1;

  constructor(buffer: Buffer, key: Buffer) {
    this.#buffer = buffer;
    this.#key = key;
  }

  /** Where the key first is at or after `start` and before `end`, else -1; starts must not go back. */
  within(start: number, end: number): number {
    if (this.#found < start) {
      const at = this.#buffer.indexOf(this.#key, start);
      this.#found = at < 0 ? Number.POSITIVE_INFINITY : at;
    }
    return this.#found < end ? this.#found : -1;
  }
}

/** Whether bytes stand at a place. */
export function standsAt(buffer: Buffer, bytes: Buffer, at: number): boolean {
  for (let index = 0; index < bytes.length; index += 1) {
    if (buffer[at + index] !== bytes[index]) return false;
  }
  return true;
}

/** A line as text in which every byte is one character. */
export function lineText(buffer: Buffer, start: number, end: number): string {
  return buffer.toString("latin1", start, end);
}
