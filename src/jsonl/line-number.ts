import { readSync } from "node:fs";
import { limits } from "../base/limits.ts";
import { newline } from "./line.ts";
import { linesForward } from "./read-forward.ts";

/**
 * The number of what begins on a line: the line's own near the start of a file, further on `b` and the
 * byte offset. So the end of a large file has numbers that cost no pass over all that lies before it.
 */
export function lineNumber(place: { readonly line: number; readonly offset: number }): string {
  return isCounted(place.offset) ? String(place.line) : `b${place.offset}`;
}

/** Whether lines at this offset are numbered by counting. */
export function isCounted(offset: number): boolean {
  return offset < limits.countedBytes;
}

/** Where the line ends that a number as of `lineNumber` names, or one of its events; `end` where there is no such line. */
export function endOfLine(fd: number, number: string, end: number): number {
  const [, offset, count] = /^(?:b(\d{1,15})|(\d{1,15}))(?![\w])/.exec(number) ?? [];
  let line = 0;
  const from = Math.min(end, Number(offset ?? 0));
  for (const found of linesForward(fd, { from, end })) {
    line += 1;
    if (offset !== undefined || line === Number(count)) return found.offset + found.length;
  }
  return end;
}

const buffer = Buffer.allocUnsafeSlow(limits.chunkBytes);

/**
 * How many lines end before an offset, counted from another; 0 where the offset lies beyond the counted
 * bytes, because nothing there is numbered by line.
 */
export function linesBefore(fd: number, offset: number, from = 0): number {
  if (!isCounted(offset - from)) return 0;
  let lines = 0;
  for (let at = from; at < offset; ) {
    const taken = readSync(fd, buffer, 0, Math.min(buffer.length, offset - at), at);
    if (taken === 0) break;
    const read = buffer.subarray(0, taken);
    for (let found = read.indexOf(newline); found >= 0; found = read.indexOf(newline, found + 1)) {
      lines += 1;
    }
    at += taken;
  }
  return lines;
}
