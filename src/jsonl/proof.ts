import { hashBytes } from "../base/hash.ts";
import { readInto } from "../base/read-fully.ts";

const proofBytes = 256;

/**
 * A short hash of the first bytes of a file, or of a part of it, and of the last bytes before an offset:
 * another value means that the file is not the one that was read. Empty where it is shorter now.
 */
export function proofBefore(fd: number, offset: number, from = 0): string {
  const bytes = Buffer.allocUnsafe(Math.min(proofBytes, Math.max(0, offset - from)));
  const hashes: string[] = [];
  for (const at of [from, offset - bytes.length]) {
    if (readInto(fd, bytes, at) < bytes.length) return "";
    hashes.push(hashBytes(bytes).toString(36));
  }
  return hashes.join(".");
}
