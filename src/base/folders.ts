import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { uptimeMs } from "./clock.ts";
import { limits } from "./limits.ts";
import { see, sees } from "./look.ts";

/** The entries of a folder, up to the limit; none where it is missing, no folder, or not ours to read. */
export function entriesOf(folder: string): readonly Dirent[] {
  sees(folder);
  try {
    return bounded(readdirSync(folder, { withFileTypes: true }));
  } catch {
    return [];
  }
}

/** The names in a folder, likewise, in a stable order. */
export function namesIn(folder: string): readonly string[] {
  sees(folder);
  try {
    return bounded(readdirSync(folder).sort());
  } catch {
    return [];
  }
}

function bounded<T>(found: readonly T[]): readonly T[] {
  return found.length > limits.directoryEntries ? found.slice(0, limits.directoryEntries) : found;
}

/** Size and time of a regular file, or undefined where there is none. */
export function fileStat(
  path: string,
): { readonly sizeBytes: number; readonly modifiedMs: number } | undefined {
  const stat = see(path);
  if (stat?.isFile !== true) return undefined;
  return { sizeBytes: stat.sizeBytes, modifiedMs: stat.modifiedMs };
}

/** The text of a file beside a session; undefined where it is missing, no file, or over the limit. */
export function smallFile(path: string, mostBytes: number): string | undefined {
  const stat = fileStat(path);
  if (stat === undefined || stat.sizeBytes > mostBytes) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

// Sessions of one project share their folder: a list asks for each folder once.
const folders = new Map<string, boolean>();
let askedMs = 0;

/** Whether a folder is there, as it was at most a moment ago. */
export function folderExists(path: string): boolean {
  const nowMs = uptimeMs();
  if (nowMs - askedMs > limits.folderMemoryMs) {
    folders.clear();
    askedMs = nowMs;
  }
  let known = folders.get(path);
  if (known === undefined) {
    known = askFolder(path);
    folders.set(path, known);
  }
  return known;
}

function askFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}
