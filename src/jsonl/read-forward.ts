import { readSync } from "node:fs";
import { limits } from "../base/limits.ts";
import { type Line, newline } from "./line.ts";

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
  const {
    from = 0,
    end = Number.POSITIVE_INFINITY,
    maxLineBytes = limits.foreignLineBytes,
  } = options;
  let buffer = Buffer.allocUnsafe(limits.chunkBytes);
  let start = 0;
  let filled = 0;
  let scanned = 0;
  let offset = from;
  for (;;) {
    const at = buffer.subarray(0, filled).indexOf(newline, scanned);
    if (at >= 0) {
      yield line(offset, buffer.subarray(start, at), at + 1 - start, true);
      offset += at + 1 - start;
      start = at + 1;
      scanned = start;
      continue;
    }
    scanned = filled;
    const held = filled - start;
    if (held > maxLineBytes) {
      const length = skipLine(fd, { offset, known: held, end, buffer });
      yield {
        offset,
        bytes: buffer.subarray(0, 0),
        length: length.bytes,
        complete: length.complete,
        tooLong: true,
      };
      if (!length.complete) return;
      offset += length.bytes;
      start = filled = scanned = 0;
      continue;
    }
    // Make room: move the begun line to the front, and double only when it fills the buffer.
    if (start > 0) {
      buffer.copy(buffer, 0, start, filled);
      filled = scanned = held;
      start = 0;
    }
    if (filled === buffer.length) {
      const larger = Buffer.allocUnsafe(buffer.length * 2);
      buffer.copy(larger, 0, 0, filled);
      buffer = larger;
    }
    const wanted = Math.min(buffer.length - filled, end - (offset + filled));
    const taken = wanted > 0 ? readSync(fd, buffer, filled, wanted, offset + filled) : 0;
    if (taken === 0) {
      if (held > 0) yield line(offset, buffer.subarray(0, held), held, false);
      return;
    }
    filled += taken;
  }
}

function line(offset: number, bytes: Buffer, length: number, complete: boolean): Line {
  return { offset, bytes, length, complete, tooLong: false };
}

/** Finds the end of a line too long to hold, reading through the given buffer. */
function skipLine(
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
    if (at >= 0) return { bytes: bytes + at + 1, complete: true };
    bytes += taken;
  }
}
