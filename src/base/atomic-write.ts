import { fchmodSync } from "node:fs";
import { dirname } from "node:path";
import { type Disk, disk as realDisk } from "./disk.ts";
import { errnoOf } from "./errors.ts";
import { temporaryName } from "./temporary-name.ts";

/** How a finished file takes its name: over the old one, or only if nobody has it. */
export type Publish = "replace" | "exclusive";

/** How a whole file is written. */
export interface AtomicWriteOptions {
  readonly publish?: Publish;
  readonly sync?: boolean;
  /** Who may do what with it, before anybody sees it. Default: its owner alone. */
  readonly mode?: number;
  /** Hears of the temporary file before it is made: for folders that are not ours. */
  readonly announce?: (temporary: string) => void;
  readonly disk?: Disk;
}

/**
 * Writes a whole file so that a crash leaves the old content or the new, never a part. Order:
 * temporary file, its data synced, name published, directory synced. With `exclusive` an existing
 * name is kept and false is returned. Content that comes in pieces is never held whole.
 */
export function atomicWrite(
  path: string,
  content: string | Uint8Array | Iterable<Uint8Array>,
  options: AtomicWriteOptions = {},
): boolean {
  const { publish = "replace", sync = true, mode, disk = realDisk } = options;
  const pieces = typeof content === "string" ? [Buffer.from(content)] : content;
  const temporary = temporaryName(path);
  options.announce?.(temporary);
  const fd = disk.openAppend(temporary, { create: true });
  try {
    for (const piece of pieces instanceof Uint8Array ? [pieces] : pieces) {
      writeFully(disk, fd, piece);
    }
    if (mode !== undefined) fchmodSync(fd, mode);
    if (sync) disk.syncNow(fd);
  } catch (error) {
    disk.close(fd);
    disk.remove(temporary);
    throw error;
  }
  disk.close(fd);
  try {
    if (publish === "replace") disk.rename(temporary, path);
    else disk.link(temporary, path);
  } catch (error) {
    disk.remove(temporary);
    if (publish === "exclusive" && errnoOf(error) === "EEXIST") return false;
    throw error;
  }
  if (publish === "exclusive") disk.remove(temporary);
  if (sync) disk.syncDirectory(dirname(path));
  return true;
}

/** Writes all bytes, going on after short writes; for files no one else sees yet. */
export function writeFully(disk: Disk, fd: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    const taken = disk.write(fd, written === 0 ? bytes : bytes.subarray(written));
    if (taken === 0) throw Object.assign(new Error("write took no bytes"), { code: "ENOSPC" });
    written += taken;
  }
}
