import { closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";
import type { Disk } from "../base/disk.ts";
import { errnoOf, RepriseError } from "../base/errors.ts";

/** Opens a session file for reading; what cannot be read is told in words. */
export function openForReading(path: string): number {
  try {
    // A pipe under a session's name must not hold the reader up.
    const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
  } catch (error) {
    throw openError(path, error);
  }
  throw new RepriseError("not_a_file", `${path} is not a regular file.`);
}

/**
 * Opens an existing session file for appending. A link is refused: what it points to lies elsewhere, with
 * leases of its own, and is nothing this store may write to.
 */
export function openForAppending(path: string, disk: Disk): number {
  // Append mode would make a missing file: look first.
  closeSync(openForReading(path));
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new RepriseError("not_a_file", `${path} is a link: it is read, but not written to.`, {
      hint: "Open the file it points to by its own path.",
    });
  }
  try {
    return disk.openAppend(path);
  } catch (error) {
    throw openError(path, error);
  }
}

function openError(path: string, cause: unknown): RepriseError {
  switch (errnoOf(cause)) {
    case "ENOENT":
    case "ENOTDIR":
      return new RepriseError("not_found", `There is no session at ${path}.`, { cause });
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new RepriseError("no_permission", `${path} cannot be opened.`, { cause });
    case "EISDIR":
      return new RepriseError("not_a_file", `${path} is a folder, not a session.`, { cause });
    default:
      return new RepriseError(
        "write_failed",
        `${path} cannot be opened: ${errnoOf(cause) ?? "unknown"}.`,
        { cause },
      );
  }
}
