import { readSync } from "node:fs";

/** Fills a buffer from a position of an open file, going on after short reads; returns the bytes read. */
export function readInto(fd: number, into: Uint8Array, position: number): number {
  let done = 0;
  while (done < into.length) {
    const taken = readSync(fd, into, done, into.length - done, position + done);
    if (taken === 0) break;
    done += taken;
  }
  return done;
}

/** Reads a span of an open file; shorter only where the file ends before it. */
export function readFully(
  fd: number,
  span: { readonly from: number; readonly length: number },
): Buffer {
  const bytes = Buffer.allocUnsafe(span.length);
  return bytes.subarray(0, readInto(fd, bytes, span.from));
}
