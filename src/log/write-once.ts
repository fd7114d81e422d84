import type { Disk } from "../base/disk.ts";
import { writeError } from "../base/system-error.ts";

/**
 * Appends bytes with one write call. What a short or failed one left behind is cut off again, then
 * `write_failed` is thrown; where even cutting fails, `onTorn` hears that the end of the file is torn.
 */
export function writeOnce(
  disk: Disk,
  file: { readonly fd: number; readonly path: string; readonly size: number },
  bytes: Uint8Array,
  onTorn: () => void,
): void {
  let failure: unknown;
  try {
    if (disk.write(file.fd, bytes) === bytes.length) return;
  } catch (error) {
    failure = error;
  }
  try {
    disk.truncate(file.fd, file.size);
  } catch {
    onTorn();
  }
  throw writeError(failure, `Appending to ${file.path} failed; nothing of it was kept.`);
}
