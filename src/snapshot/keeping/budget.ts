import { readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../base/errors.ts";
import { smallFile } from "../../base/folders.ts";
import { asNumber, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { Home } from "../../store/home.ts";
import { snapshotPlaces } from "../snapshot-store.ts";

/** What the snapshots of a store may take on the disk, all projects together, and what they do take. */
export interface Budget {
  readonly budgetBytes: number;
  readonly usedBytes: number;
}

/** What a user may set in `<home>/snapshots/settings.json`. */
export interface SnapshotSettings {
  /** What all snapshots may take. */
  readonly budgetBytes?: number;
  /** Larger files are skipped. */
  readonly mostFileBytes?: number;
}

/** The settings of a store; what is missing or makes no sense is as it is by default. */
export function snapshotSettings(home: Home): SnapshotSettings {
  const path = join(snapshotPlaces(home).root, "settings.json");
  const given = parseObject(smallFile(path, limits.headBytesMax) ?? "") ?? {};
  const sizes = (["budgetBytes", "mostFileBytes"] as const).flatMap((key) => {
    const bytes = asNumber(given[key]);
    return bytes === undefined || bytes < 0 ? [] : [[key, bytes] as const];
  });
  return Object.fromEntries(sizes);
}

/** The budget of a store: what its settings say, else the smaller of 2 GB and 5 % of the space that is free without it. */
export function budgetOf(home: Home): Budget {
  const usedBytes = bytesBelow(snapshotPlaces(home).root);
  const { budgetBytes } = snapshotSettings(home);
  return { usedBytes, budgetBytes: budgetBytes ?? usualBudget(home, usedBytes) };
}

function usualBudget(home: Home, usedBytes: number): number {
  const freeBytes = freeBytesAt(home.root) ?? Number.POSITIVE_INFINITY;
  const share = Math.floor((freeBytes + usedBytes) * limits.snapshotBudgetShare);
  return Math.min(limits.snapshotBudgetBytes, share);
}

/** What a user may still write to the disk a folder lies on; undefined if the system does not tell. */
function freeBytesAt(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** What lies below a folder, in bytes; what goes away meanwhile is not counted. */
function bytesBelow(folder: string): number {
  let bytes = 0;
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) bytes += bytesBelow(path);
      else if (entry.isFile()) bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    }
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  return bytes;
}
