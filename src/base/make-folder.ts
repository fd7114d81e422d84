import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "./errors.ts";

/**
 * Makes a folder and those above it, for the user alone where nothing else is said; one that is there stays. Node's own
 * way of doing so never ends below a folder that takes no entries, such as `/proc`.
 */
export function makeFolder(path: string, mode = 0o700): void {
  if (made(path, mode)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above, mode);
  if (!made(path, mode))
    throw Object.assign(new Error(`ENOENT: ${path} cannot be made`), { code: "ENOENT" });
}

/** False where the folder above is not there. */
function made(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    // What a system says of a folder that is there differs: a disk may be read-only first.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
  return true;
}
