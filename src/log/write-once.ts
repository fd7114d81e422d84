import type { Disk } from "../base/disk.ts";
import { readFully } from "../base/read-fully.ts";
import { writeError } from "../base/system-error.ts";

/**
 * Appends bytes with one write call. After a short one the rest is tried: it is taken, or the system says why not.
 * What a failed append left behind is cut off again, then the error is thrown. `mayCut` says whether the lease is
 * still held: without it another's lines may lie behind ours. Where nothing may be cut, `onTorn` hears that the end
 * of the file is torn.
 */
export function writeOnce(
  disk: Disk,
  file: { readonly fd: number; readonly path: string; readonly size: number },
  bytes: Uint8Array,
  on: { readonly mayCut: () => boolean; readonly onTorn: () => void },
): void {
  let failure: unknown;
  try {
    const taken = disk.write(file.fd, bytes);
    if (taken === bytes.length) return;
    if (taken + disk.write(file.fd, bytes.subarray(taken)) === bytes.length) return;
  } catch (error) {
    failure = error;
  }
  try {
    if (!isOurs(disk, file, bytes) || !on.mayCut()) throw new Error("the end is not ours to cut");
    disk.truncate(file.fd, file.size);
  } catch {
    on.onTorn();
  }
  throw writeError(failure, `Appending to ${file.path} failed; nothing of it was kept.`);
}

/** Whether a file has nothing behind its former end but a part of these bytes. */
function isOurs(
  disk: Disk,
  file: { readonly fd: number; readonly size: number },
  bytes: Uint8Array,
): boolean {
  const length = disk.sizeOf(file.fd).size - file.size;
  if (length < 0 || length > bytes.length) return false;
  return readFully(file.fd, { from: file.size, length }).equals(bytes.subarray(0, length));
}
