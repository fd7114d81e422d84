import { readSync } from "node:fs";

/** Reads a span of an open file; shorter only where the file ends before it. */
export function readFully(
  fd: number,
  span: { readonly from: number; readonly length: number },
): Buffer {
  const bytes = Buffer.allocUnsafe(span.length);
  let done = 0;
  while (done < span.length) {
    const taken = readSync(fd, bytes, done, span.length - done, span.from + done);
    if (taken === 0) break;
    done += taken;
  }
  return done === span.length ? bytes : bytes.subarray(0, done);
}
