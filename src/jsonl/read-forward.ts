import { readSync } from "node:fs";
import { limits } from "../base/limits.ts";
import { readInto } from "../base/read-fully.ts";
import { type Line, lineOf, newline, tooLongLine } from "./line.ts";

/** How much of a file to read, and how long a line may be. */
export interface ForwardOptions {
  readonly from?: number;
  readonly end?: number;
  readonly maxLineBytes?: number;
}

/**
 * The lines of an open file from an offset on. Memory stays at one chunk, or one line where a line
 * is longer; a line over the limit is passed over and told (P2, P5).
 */
export function* linesForward(fd: number, options: ForwardOptions = {}): Generator<Line> {
  const { from = 0, end = Number.POSITIVE_INFINITY } = options;
  const { maxLineBytes = limits.foreignLineBytes } = options;
  const buffer = Buffer.allocUnsafe(limits.chunkBytes);
  let long: Buffer = Buffer.alloc(0);
  let start = 0;
  let filled = 0;
  let scanned = 0;
  // Where in the file the line being looked for begins.
  let offset = from;
  for (;;) {
    const at = buffer.subarray(0, filled).indexOf(newline, scanned);
    if (at >= 0) {
      yield lineOf(offset, buffer.subarray(start, at), { complete: true, maxLineBytes });
      offset += at + 1 - start;
      start = at + 1;
      scanned = start;
      continue;
    }
    if (start > 0) {
      buffer.copy(buffer, 0, start, filled);
      filled -= start;
      start = 0;
    }
    scanned = filled;
    if (filled === buffer.length) {
      // Measured before it is held: a line over the limit costs no memory, another is read in one go.
      const { bytes, complete } = measure(fd, { offset, known: filled, end, buffer });
      const length = bytes + (complete ? 1 : 0);
      if (bytes > maxLineBytes) {
        yield tooLongLine(offset, { length, complete });
      } else {
        if (long.length < bytes) long = Buffer.allocUnsafe(bytes);
        const taken = readInto(fd, long.subarray(0, bytes), offset);
        yield lineOf(offset, long.subarray(0, taken), { complete, maxLineBytes });
      }
      if (!complete) return;
      offset += length;
      filled = scanned = 0;
      continue;
    }
    const wanted = Math.min(buffer.length - filled, end - (offset + filled));
    const taken = wanted > 0 ? readSync(fd, buffer, filled, wanted, offset + filled) : 0;
    if (taken === 0) {
      if (filled > 0) {
        yield lineOf(offset, buffer.subarray(0, filled), { complete: false, maxLineBytes });
      }
      return;
    }
    filled += taken;
  }
}

/** How long a line is that did not fit, without its newline; reads through the given buffer. */
function measure(
  fd: number,
  place: {
    readonly offset: number;
    readonly known: number;
    readonly end: number;
    readonly buffer: Buffer;
  },
): { readonly bytes: number; readonly complete: boolean } {
  let bytes = place.known;
  for (;;) {
    const wanted = Math.min(place.buffer.length, place.end - (place.offset + bytes));
    const taken = wanted > 0 ? readSync(fd, place.buffer, 0, wanted, place.offset + bytes) : 0;
    if (taken === 0) return { bytes, complete: false };
    const at = place.buffer.subarray(0, taken).indexOf(newline);
    if (at >= 0) return { bytes: bytes + at, complete: true };
    bytes += taken;
  }
}
