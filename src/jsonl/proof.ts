import { readInto } from "../base/read-fully.ts";

const proofBytes = 256;

/**
 * A short hash of the first bytes of a file, or of a part of it, and of the last bytes before an offset:
 * another value means that the file is not the one that was read. Empty where it is shorter now.
 */
export function proofBefore(fd: number, offset: number, from = 0): string {
  const bytes = Buffer.allocUnsafe(Math.min(proofBytes, Math.max(0, offset - from)));
  // Two hashes of the kind FNV, mixed at the end. It only has to tell files apart that are not alike by
  // accident, and loading cryptography takes longer than showing the end of a session.
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (const at of [from, offset - bytes.length]) {
    if (readInto(fd, bytes, at) < bytes.length) return "";
    for (const byte of bytes) {
      low = Math.imul(low ^ byte, 0x01000193);
      high = Math.imul(high ^ byte, 0x85ebca6b);
    }
  }
  return `${hex(mixed(low, high))}${hex(mixed(high, low))}`;
}

function mixed(value: number, other: number): number {
  const first = Math.imul(value ^ (value >>> 16), 0x21f0aaad) ^ other;
  const second = Math.imul(first ^ (first >>> 15), 0x735a2d97);
  return second ^ (second >>> 15);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
