import { rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { exists } from "../base/disk.ts";
import { errnoOf } from "../base/errors.ts";

/** The folders that would have to be made for a path below this one, the innermost first. */
export function missingFolders(folder: string): readonly string[] {
  const missing: string[] = [];
  for (let at = folder; !isThere(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  return missing;
}

/** A path below a file is not there, as is one below nothing. */
function isThere(path: string): boolean {
  try {
    return exists(path);
  } catch {
    return false;
  }
}

/** Removes folders we made, the innermost first, as far as nobody put anything into them; those gone are passed over. */
export function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder);
    } catch (error) {
      if (errnoOf(error) !== "ENOENT") return;
    }
  }
}
