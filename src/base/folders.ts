import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { uptimeMs } from "./clock.ts";
import { errnoOf } from "./errors.ts";
import { limits } from "./limits.ts";
import { readRegular } from "./open-file.ts";

/** The entries of a folder, up to the limit; none where it is missing, no folder, or not ours to read. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return bounded(readdirSync(folder, { withFileTypes: true }));
  } catch {
    return [];
  }
}

/** The names in a folder, likewise, in a stable order. */
export function namesIn(folder: string): readonly string[] {
  try {
    return bounded(readdirSync(folder).sort());
  } catch {
    return [];
  }
}

function bounded<T>(found: readonly T[]): readonly T[] {
  return found.length > limits.directoryEntries ? found.slice(0, limits.directoryEntries) : found;
}

/** What stat says of a path; undefined where nothing is there, or nothing that is ours to look at. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Size and time of a regular file, or undefined if there is none. */
export function fileStat(
  path: string,
): { readonly sizeBytes: number; readonly modifiedMs: number } | undefined {
  const stat = statOf(path);
  return stat?.isFile() ? { sizeBytes: stat.size, modifiedMs: stat.mtimeMs } : undefined;
}

/** The text of a file beside a session; undefined if it is missing, no file, or over the limit. */
export function smallFile(path: string, mostBytes: number): string | undefined {
  const stat = fileStat(path);
  if (stat === undefined || stat.sizeBytes > mostBytes) return undefined;
  try {
    return readRegular(path).toString("utf8");
  } catch {
    return undefined;
  }
}

// Sessions of one project share their folder, and those of a database its file: a list asks for each path once.
const remembered = new Map<string, "folder" | "other" | "none">();
let askedMs = 0;

/** Whether a folder is there, as it was at most a moment ago. */
export function folderExists(path: string): boolean {
  return whatIs(path) === "folder";
}

/** Whether anything is there, as it was at most a moment ago. */
export function pathExists(path: string): boolean {
  return whatIs(path) !== "none";
}

function whatIs(path: string): "folder" | "other" | "none" {
  const nowMs = uptimeMs();
  if (nowMs - askedMs > limits.folderMemoryMs) {
    remembered.clear();
    askedMs = nowMs;
  }
  let known = remembered.get(path);
  if (known === undefined) {
    known = lookedAt(path);
    remembered.set(path, known);
  }
  return known;
}

function lookedAt(path: string): "folder" | "other" | "none" {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? "none" : stat.isDirectory() ? "folder" : "other";
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "") ? "none" : "other";
  }
}
