import { lstatSync, type Stats } from "node:fs";
import { limits } from "../base/limits.ts";
import { pathFor } from "./file-name.ts";

/** What the disk says of an entry; while it says the same, the entry is the same. */
export interface StatPrint {
  readonly size: number;
  readonly mtimeMs: number;
  /** Changes with every change of content or mode, and no program can set it. */
  readonly ctimeMs: number;
  readonly inode: number;
  readonly mode: number;
}

/** The print of what stat said. */
export function printOf(stat: Stats): StatPrint {
  const { size, mtimeMs, ctimeMs, ino, mode } = stat;
  return { size, mtimeMs, ctimeMs, inode: ino, mode };
}

/** Whether two looks saw the same. */
export function samePrint(a: StatPrint, b: StatPrint): boolean {
  return (
    a.ctimeMs === b.ctimeMs &&
    a.mtimeMs === b.mtimeMs &&
    a.size === b.size &&
    a.inode === b.inode &&
    a.mode === b.mode
  );
}

/**
 * A print that may be trusted later. What changed in the moment it was looked at may change again without another time:
 * such an entry gets a time nothing has, and is read again.
 */
export function settledPrint(print: StatPrint, lookedMs: number): StatPrint {
  const isSettled = Math.max(print.ctimeMs, print.mtimeMs) < lookedMs - limits.folderTimeMs;
  return isSettled ? print : { ...print, ctimeMs: -1 };
}

/** What lies at a path, links not followed; undefined where nothing does or it cannot be looked at. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(pathFor(path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
