import type { Disk } from "../base/disk.ts";
import { limits } from "../base/limits.ts";
import { readFully } from "../base/read-fully.ts";
import { newline } from "../jsonl/line.ts";

/*
 * Bytes that are no part of a log are made blank, never cut off: of two processes that both believe they mend it, the
 * slower one would cut off what the other wrote in the meantime. Blank lines mean nothing to a reader, and making them
 * blank once more changes nothing.
 */

/** Bytes of a file. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Whether a span holds what it held when it was put aside, or is blank already, in whole or in part. */
export function isStillThere(fd: number, span: Span, aside: Iterable<Buffer>): boolean {
  let at = span.from;
  for (const piece of aside) {
    const found = readFully(fd, { from: at, length: piece.length });
    if (found.length < piece.length) return false;
    for (let index = found.equals(piece) ? piece.length : 0; index < piece.length; index += 1) {
      const byte = found[index]!;
      if (byte !== piece[index] && byte !== blankByte(at + index, span)) return false;
    }
    at += piece.length;
  }
  return at === span.to;
}

/** Makes lines of spaces out of a span, the last of which ends with it; `onPiece` is called with each. */
export function makeBlank(path: string, span: Span, disk: Disk, onPiece: () => void): void {
  const fd = disk.openUpdate(path);
  try {
    for (let from = span.from; from < span.to; from += limits.chunkBytes) {
      onPiece();
      const bytes = Buffer.alloc(Math.min(limits.chunkBytes, span.to - from), " ");
      bytes[bytes.length - 1] = newline;
      if (disk.writeAt(fd, bytes, from) !== bytes.length) {
        throw Object.assign(new Error("short write"), { code: "ENOSPC" });
      }
    }
  } finally {
    disk.close(fd);
  }
}

function blankByte(offset: number, { from, to }: Span): number {
  const isLast = offset === to - 1 || (offset - from + 1) % limits.chunkBytes === 0;
  return isLast ? newline : 0x20;
}
