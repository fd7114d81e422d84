import { lstatSync } from "node:fs";
import type { Disk } from "../base/disk.ts";
import { RepriseError } from "../base/errors.ts";
import { checkReadable } from "../base/open-file.ts";
import { systemError, whyRefused } from "../base/system-error.ts";

/**
 * Opens an existing session file for appending. A link is refused: what it points to lies elsewhere, with
 * leases of its own, and is nothing this store may write to.
 */
export function openForAppending(path: string, disk: Disk): number {
  // Append mode would make a missing file: look first.
  checkReadable(path);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new RepriseError("not_a_file", `${path} is a link: it is read, but not written to.`, {
      hint: "Open the file it points to by its own path.",
    });
  }
  try {
    return disk.openAppend(path);
  } catch (error) {
    throw systemError(error, `${path} cannot be opened: ${whyRefused(error)}.`);
  }
}
