import { fstatSync } from "node:fs";
import { limits } from "../base/limits.ts";
import { readInto } from "../base/read-fully.ts";
import { type Line, lineOf, newline, tooLongLine } from "./line.ts";

/** Where to begin reading towards the start of the file. */
export interface BackwardOptions {
  /** Reads lines that end at or before this offset; the end of the file if absent. */
  readonly end?: number;
  readonly maxLineBytes?: number;
  /** First read; later reads grow to the chunk size. */
  readonly firstChunkBytes?: number;
}

/**
 * The lines of an open file from its end to its start: a resume reads only what it needs, whatever
 * the size of the file (P5). Views stay valid until the next line is asked for.
 */
export function* linesBackward(fd: number, options: BackwardOptions = {}): Generator<Line> {
  const { maxLineBytes = limits.foreignLineBytes } = options;
  const end = options.end ?? fstatSync(fd).size;
  let chunk = options.firstChunkBytes ?? 16 * 1024;
  // The held bytes are those of [position, position + held.length); the line being looked for ends at lineEnd.
  let position = end;
  let held: Buffer = Buffer.alloc(0);
  let room: Buffer = held;
  let long: Buffer = Buffer.alloc(0);
  let lineEnd = end;
  let complete = false;
  let first = true;
  const found = (offset: number, bytes: Buffer): Line =>
    lineOf(offset, bytes, { complete, maxLineBytes });
  for (;;) {
    let searchFrom = lineEnd - position - 1;
    while (searchFrom >= 0) {
      const at = held.lastIndexOf(newline, searchFrom);
      if (at < 0) break;
      const start = position + at + 1;
      if (first) {
        first = false;
        if (start < end) yield found(start, held.subarray(at + 1, lineEnd - position));
      } else {
        yield found(start, held.subarray(at + 1, lineEnd - position));
      }
      complete = true;
      lineEnd = position + at;
      searchFrom = at - 1;
    }
    if (position === 0) {
      if (lineEnd > 0 || complete) yield found(0, held.subarray(0, lineEnd));
      return;
    }
    const keep = lineEnd - position;
    if (keep >= limits.chunkBytes) {
      // Measured before it is held: a line over the limit costs no memory, another is read in one go.
      const start = lineStart(fd, position);
      const bytes = lineEnd - start;
      if (bytes > maxLineBytes) {
        yield tooLongLine(start, { length: bytes + (complete ? 1 : 0), complete });
      } else {
        if (long.length < bytes) long = Buffer.allocUnsafe(bytes);
        if (readInto(fd, long.subarray(0, bytes), start) < bytes) return;
        yield found(start, long.subarray(0, bytes));
      }
      first = false;
      if (start === 0) return;
      complete = true;
      lineEnd = start - 1;
      position = lineEnd;
      held = Buffer.alloc(0);
      continue;
    }
    const size = Math.min(chunk, position);
    chunk = Math.min(chunk * 4, limits.walkBytes);
    // One buffer for all reads: a long walk would otherwise allocate as much as it reads.
    // The first read is often the only one.
    if (size + keep > room.length)
      room = Buffer.allocUnsafe(size + (keep === 0 ? 0 : 2 * limits.chunkBytes));
    held.copy(room, size, 0, keep);
    if (readInto(fd, room.subarray(0, size), position - size) < size) return;
    position -= size;
    held = room.subarray(0, size + keep);
  }
}

/** The offset after the last newline before `position`, or 0. */
export function lineStart(fd: number, position: number): number {
  const window = Buffer.allocUnsafe(limits.chunkBytes);
  let end = position;
  while (end > 0) {
    const size = Math.min(window.length, end);
    readInto(fd, window.subarray(0, size), end - size);
    const at = window.subarray(0, size).lastIndexOf(newline);
    if (at >= 0) return end - size + at + 1;
    end -= size;
  }
  return 0;
}
