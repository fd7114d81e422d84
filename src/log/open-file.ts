import { fstatSync, lstatSync } from "node:fs";
import type { Disk } from "../base/disk.ts";
import { errnoOf, RepriseError } from "../base/errors.ts";
import { systemError, whyRefused } from "../base/system-error.ts";

/**
 * Opens an existing session file for appending. A link is refused: what it points to lies elsewhere, with
 * leases of its own, and is nothing this store may write to.
 */
export function openForAppending(path: string, disk: Disk): number {
  // Windows has no flag that keeps a link from being followed.
  if (process.platform === "win32" && isLink(path)) throw refusedLink(path);
  let fd: number;
  try {
    fd = disk.openThere(path);
  } catch (error) {
    if (errnoOf(error) === "ELOOP" && isLink(path)) throw refusedLink(path);
    throw systemError(error, `${path} cannot be opened: ${whyRefused(error)}.`);
  }
  if (fstatSync(fd).isFile()) return fd;
  disk.close(fd);
  throw new RepriseError("not_a_file", `${path} is not a regular file.`);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function refusedLink(path: string): RepriseError {
  return new RepriseError("not_a_file", `${path} is a link: it is read, but not written to.`, {
    hint: "Open the file it points to by its own path.",
  });
}
