import { readSync } from "node:fs";
import { limits } from "../../base/limits.ts";
import { newline } from "../../jsonl/line.ts";

/** What is done with the complete lines in `buffer`, from its start to its end. */
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
  shared ??= Buffer.allocUnsafe(limits.usageChunkBytes);
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

/** Calls back for every line that has the needle, with its bounds and the needle's place. */
export function linesWith(
  buffer: Buffer,
  needle: Buffer,
  line: (start: number, end: number, at: number) => void,
): void {
  for (let from = 0; ; ) {
    const at = buffer.indexOf(needle, from);
    if (at < 0) return;
    const start = buffer.lastIndexOf(newline, at) + 1;
    const found = buffer.indexOf(newline, at);
    const end = found < 0 ? buffer.length : found;
    line(start, end, at);
    from = end + 1;
  }
}
