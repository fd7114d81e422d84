import type { Disk } from "../base/disk.ts";
import { errnoOf, RepriseError } from "../base/errors.ts";

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
  throw writeFailed(`Appending to ${file.path} failed; nothing of it was kept.`, failure);
}

/** `write_failed` with what the system said; a short write says nothing, and means a full disk. */
export function writeFailed(message: string, cause: unknown): RepriseError {
  const errno = errnoOf(cause) ?? "ENOSPC";
  return new RepriseError("write_failed", message, { cause, details: { errno } });
}
