import { closeSync, readSync } from "node:fs";
import { limits } from "../../base/limits.ts";
import { openAtOnce } from "../../base/open-file.ts";

/** The first line of a file that is not empty, as far as it is of a usual length. */
export function firstLine(path: string): string | undefined {
  const fd = openAtOnce(path);
  try {
    const bytes = Buffer.allocUnsafe(limits.chunkBytes);
    const text = bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, 0));
    return text.split("\n").find((line) => line !== "");
  } finally {
    closeSync(fd);
  }
}
