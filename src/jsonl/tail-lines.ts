import { closeSync, fstatSync, readSync } from "node:fs";
import { openAtOnce } from "../base/open-file.ts";

const firstBytes = 8 * 1024;

/**
 * The whole lines at the end of a file from the last to the first, as far as a bound of bytes reaches: what
 * a hook may spend on a file of any size, also where one line is larger than the bound. An incomplete last
 * line is left out. A file that is not there has none.
 */
export function* tailLines(path: string, mostBytes: number): Generator<Buffer> {
  let fd: number;
  try {
    fd = openAtOnce(path);
  } catch {
    return;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return;
    const floor = Math.max(0, stat.size - mostBytes);
    let position = stat.size;
    let size = firstBytes;
    // The bytes from `position` on that belong to no line that was given yet.
    let held: Buffer = Buffer.alloc(0);
    let complete = false;
    while (position > floor) {
      const length = Math.min(size, position - floor);
      const bytes = Buffer.allocUnsafe(length + held.length);
      if (readSync(fd, bytes, 0, length, position - length) < length) return;
      held.copy(bytes, length);
      position -= length;
      size *= 4;
      let end = bytes.length;
      for (let at = bytes.lastIndexOf(10, end - 1); at >= 0 && end > 0; ) {
        if (complete && end > at + 1) yield bytes.subarray(at + 1, end);
        complete = true;
        end = at;
        at = end === 0 ? -1 : bytes.lastIndexOf(10, end - 1);
      }
      held = bytes.subarray(0, end);
    }
    if (position === 0 && complete && held.length > 0) yield held;
  } finally {
    closeSync(fd);
  }
}
