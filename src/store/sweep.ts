import { join } from "node:path";
import { disk } from "../base/disk.ts";
import { entriesOf, statOf } from "../base/folders.ts";
import { limits } from "../base/limits.ts";
import { temporaryLife } from "../base/temporary-name.ts";
import type { Home } from "./home.ts";

/** Folders in folders: sessions and blobs lie two deep. */
const depth = 6;

/** Removes the temporary files in a store whose processes are dead, by their names; returns how many there were. */
export function sweepTemporaries(home: Home, nowMs = Date.now()): number {
  const own = sweepBelow(home.root, { nowMs, depth });
  // The folder of a flat store is its user's: what lies deeper is not ours.
  return home.flat ? own + sweepBelow(home.sessions, { nowMs, depth: 1 }) : own;
}

function sweepBelow(
  folder: string,
  at: { readonly nowMs: number; readonly depth: number },
): number {
  let swept = 0;
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && at.depth > 1) {
      swept += sweepBelow(path, { ...at, depth: at.depth - 1 });
    } else if (!entry.isDirectory() && isLeft(path, entry.name, at.nowMs)) {
      disk.remove(path);
      swept += 1;
    }
  }
  return swept;
}

function isLeft(path: string, name: string, nowMs: number): boolean {
  if (!name.endsWith(".tmp")) return false;
  const life = temporaryLife(name);
  if (life !== "unknown") return life === "dead";
  const stat = statOf(path);
  return stat !== undefined && nowMs - stat.mtimeMs > limits.silentRunMs;
}
