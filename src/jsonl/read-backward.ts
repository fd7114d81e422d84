import { fstatSync, readSync } from "node:fs";
import { limits } from "../base/limits.ts";
import { type Line, newline } from "./line.ts";

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
  let lineEnd = end;
  let complete = false;
  let first = true;
  for (;;) {
    let searchFrom = lineEnd - position - 1;
    while (searchFrom >= 0) {
      const at = held.lastIndexOf(newline, searchFrom);
      if (at < 0) break;
      const start = position + at + 1;
      if (first) {
        first = false;
        if (start < end) yield line(start, held.subarray(at + 1, lineEnd - position), false);
      } else {
        yield line(start, held.subarray(at + 1, lineEnd - position), true);
      }
      complete = true;
      lineEnd = position + at;
      searchFrom = at - 1;
    }
    if (position === 0) {
      if (lineEnd > 0 || complete) yield line(0, held.subarray(0, lineEnd), complete);
      return;
    }
    const keep = lineEnd - position;
    if (keep > maxLineBytes) {
      // Too long to hold: walk to its start with a small window.
      const start = lineStart(fd, position);
      yield {
        offset: start,
        bytes: Buffer.alloc(0),
        length: lineEnd - start + (complete ? 1 : 0),
        complete,
        tooLong: true,
      };
      first = false;
      if (start === 0) return;
      complete = true;
      lineEnd = start - 1;
      position = lineEnd;
      held = Buffer.alloc(0);
      continue;
    }
    const size = Math.min(Math.max(chunk, keep), position);
    chunk = Math.min(chunk * 4, limits.chunkBytes);
    const grown = Buffer.allocUnsafe(size + keep);
    const taken = readFully(fd, grown, size, position - size);
    if (taken < size) return;
    held.copy(grown, size, 0, keep);
    position -= size;
    held = grown;
  }
}

function line(offset: number, bytes: Buffer, complete: boolean): Line {
  return { offset, bytes, length: bytes.length + (complete ? 1 : 0), complete, tooLong: false };
}

function readFully(fd: number, into: Buffer, size: number, position: number): number {
  let done = 0;
  while (done < size) {
    const taken = readSync(fd, into, done, size - done, position + done);
    if (taken === 0) break;
    done += taken;
  }
  return done;
}

/** The offset after the last newline before `position`, or 0. */
function lineStart(fd: number, position: number): number {
  const window = Buffer.allocUnsafe(limits.chunkBytes);
  let end = position;
  while (end > 0) {
    const size = Math.min(window.length, end);
    readFully(fd, window, size, end - size);
    const at = window.subarray(0, size).lastIndexOf(newline);
    if (at >= 0) return end - size + at + 1;
    end -= size;
  }
  return 0;
}
