import { statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { disk } from "../../base/disk.ts";
import { isRepriseError } from "../../base/errors.ts";
import { namesIn, statOf } from "../../base/folders.ts";
import { type Lease, takeLeaseSync } from "../../base/lease.ts";
import { limits } from "../../base/limits.ts";
import { appendText } from "../../base/open-file.ts";
import { storeLease } from "../../base/store-leases.ts";
import { type Collection, collectBlobs } from "../../blobs/collect.ts";
import type { EventId } from "../../model/event.ts";
import type { Home } from "../../store/home.ts";
import { sweepTemporaries } from "../../store/sweep.ts";
import { allCheckpoints, type Checkpoint, forgetCheckpoints } from "../checkpoint.ts";
import { snapshotsOfRestores } from "../restore/snapshots-of-restores.ts";
import type { Snapshot } from "../snapshot.ts";
import { SnapshotStore, snapshotPlaces } from "../snapshot-store.ts";
import { type KeptFolder, keptFolder, leaseNameOf, namesKept } from "../state-cache.ts";
import { type Budget, budgetOf } from "./budget.ts";
import { NeededContent } from "./needed-content.ts";
import { isLabelled, isSafety, thinned } from "./thin.ts";

/** What tidying did. */
export interface Tidied {
  /** The checkpoints that were let go. */
  readonly forgotten: readonly EventId[];
  /** Absent where another process was capturing or collecting: then the next time collects. */
  readonly collection?: Collection;
  readonly budget: Budget;
}

/** How a store is tidied. */
export interface TidyOptions {
  readonly nowMs?: number;
  /** What must be free of the budget afterwards, if that is possible; by default a quarter of it once it is nearly used. */
  readonly roomBytes?: number;
  /** How long to wait for folders that are being captured. */
  readonly waitMs?: number;
  /** Checkpoints that are needed now. */
  readonly keep?: readonly EventId[];
}

/** Its time is when the store was last tidied. */
const stamp = "tidied.at";

/** Whether a store should be tidied: it was not for an hour, or its budget is nearly used. */
export function tidyIsDue(home: Home, nowMs = Date.now()): boolean {
  const { root } = snapshotPlaces(home);
  const last = statOf(join(root, stamp))?.mtimeMs ?? 0;
  if (Math.abs(nowMs - last) > limits.tidyEveryMs) return true;
  const { usedBytes, budgetBytes } = budgetOf(home);
  return usedBytes > budgetBytes * limits.budgetHighShare;
}

/**
 * Lets checkpoints go that time or the budget has no room for, the oldest without a label first, and deletes content that
 * none needs. Every folder is held meanwhile: nobody relies on content that goes.
 */
export function tidyCheckpoints(home: Home, options: TidyOptions = {}): Tidied {
  const { nowMs = Date.now() } = options;
  const places = snapshotPlaces(home);
  if (statOf(places.root) === undefined) return { forgotten: [], budget: budgetOf(home) };
  sweepTemporaries(home, nowMs);
  const held = holdFolders(home, options.waitMs ?? limits.tidyWaitMs);
  if (held === undefined) return { forgotten: [], budget: budgetOf(home) };
  try {
    const store = new SnapshotStore(home);
    const known = held.files.flatMap((path) => keptFolder(path) ?? []);
    const mostBytes = wantedBytes(budgetOf(home), options.roomBytes);
    const forgotten = letGo(home, store, { mostBytes, nowMs, keep: options.keep ?? [] });
    const inUse = known.filter((cache) => !isIdle(cache, nowMs));
    const kept = fitting(inUse, { store, checkpoints: allCheckpoints(home), mostBytes });
    for (const cache of known) if (!kept.includes(cache)) disk.remove(cache.path);
    const collection = collected(home, store, { kept, isTight: mostBytes !== undefined, nowMs });
    for (const { path } of kept) touched(path);
    stamped(join(places.root, stamp));
    return { forgotten, ...(collection && { collection }), budget: budgetOf(home) };
  } finally {
    for (const lease of held.leases) lease.release();
  }
}

/** Holds every folder that was ever captured; undefined where one is busy for too long. */
function holdFolders(
  home: Home,
  waitMs: number,
): { readonly files: readonly string[]; readonly leases: readonly Lease[] } | undefined {
  const { caches } = snapshotPlaces(home);
  const files: string[] = [];
  const leases: Lease[] = [];
  const options = { waitMs, staleMs: limits.leaseWorkStaleMs };
  try {
    for (const name of namesIn(caches)) {
      if (!name.endsWith(".json")) continue;
      const place = storeLease(home.leases, leaseNameOf(name));
      leases.push(takeLeaseSync(place, options));
      files.push(join(caches, name));
    }
    return { files, leases };
  } catch (error) {
    for (const lease of leases) lease.release();
    if (isRepriseError(error, "session_busy")) return undefined;
    throw error;
  }
}

/** What is known of a folder that is gone, or that nobody captured for a month, holds content for nothing. */
function isIdle({ folder, savedMs }: KeptFolder, nowMs: number): boolean {
  return statOf(folder)?.isDirectory() !== true || nowMs - savedMs > limits.stateCacheIdleMs;
}

/** What checkpoints may take from now on; undefined while there is room enough. */
function wantedBytes({ usedBytes, budgetBytes }: Budget, roomBytes?: number): number | undefined {
  if (roomBytes !== undefined) return budgetBytes - roomBytes;
  const isTight = usedBytes > budgetBytes * limits.budgetHighShare;
  return isTight ? budgetBytes * limits.budgetLowShare : undefined;
}

interface LetGoOptions {
  readonly mostBytes: number | undefined;
  readonly nowMs: number;
  readonly keep: readonly EventId[];
}

/** Takes checkpoints out of the list: those that time lets go, then the oldest unlabelled ones until the rest fits. */
function letGo(
  home: Home,
  store: SnapshotStore,
  { mostBytes, nowMs, keep }: LetGoOptions,
): readonly EventId[] {
  const all = allCheckpoints(home).filter(({ number }) => !keep.includes(number));
  const old = thinned(all, { nowMs });
  forgetCheckpoints(home, numbersOf(old), "thinned");
  if (mostBytes === undefined) return numbersOf(old);
  const left = all.filter((one) => !old.includes(one));
  const restored = snapshotsOfRestores(home, nowMs);
  const over = overBudget(store, left, { mostBytes, nowMs, restored });
  forgetCheckpoints(home, numbersOf(over), "budget");
  return numbersOf([...old, ...over]);
}

/** The kept states whose content fits besides that of the checkpoints; of others a capture reads all files anew. */
function fitting(
  caches: readonly KeptFolder[],
  at: {
    readonly store: SnapshotStore;
    readonly checkpoints: readonly Checkpoint[];
    readonly mostBytes: number | undefined;
  },
): readonly KeptFolder[] {
  const { mostBytes } = at;
  if (mostBytes === undefined) return caches;
  const needed = new NeededContent(at.store);
  let bytes = 0;
  for (const checkpoint of at.checkpoints) bytes += needed.add(checkpoint);
  return caches.filter((cache) => {
    if (!cache.isKnown) return true;
    bytes += needed.addNames(namesKept(cache));
    return bytes <= mostBytes;
  });
}

/** The unlabelled checkpoints there is no room for besides the labelled and the newer ones. */
function overBudget(
  store: SnapshotStore,
  checkpoints: readonly Checkpoint[],
  {
    mostBytes,
    nowMs,
    restored,
  }: {
    readonly mostBytes: number;
    readonly nowMs: number;
    readonly restored: readonly Snapshot[];
  },
): readonly Checkpoint[] {
  const isKept = (one: Checkpoint): boolean => isLabelled(one) || isSafety(one, nowMs);
  const needed = new NeededContent(store);
  let bytes = 0;
  for (const one of [...restored, ...checkpoints.filter(isKept)]) bytes += needed.add(one);
  const newestFirst = checkpoints.filter((one) => !isKept(one)).toReversed();
  const firstOver = newestFirst.findIndex((one) => {
    bytes += needed.add(one);
    return bytes > mostBytes;
  });
  return firstOver < 0 ? [] : newestFirst.slice(firstOver).toReversed();
}

function numbersOf(checkpoints: readonly Checkpoint[]): readonly EventId[] {
  return checkpoints.map(({ number }) => number);
}

function collected(
  home: Home,
  store: SnapshotStore,
  at: { readonly kept: readonly KeptFolder[]; readonly isTight: boolean; readonly nowMs: number },
): Collection | undefined {
  const referenced = (): Iterable<string> => {
    const needed = new NeededContent(store);
    for (const snapshot of snapshotsOfRestores(home, at.nowMs)) needed.add(snapshot);
    for (const checkpoint of allCheckpoints(home)) needed.add(checkpoint);
    for (const cache of at.kept) needed.addNames(namesKept(cache));
    return needed.names;
  };
  try {
    return collectBlobs(snapshotPlaces(home).blobs, {
      referenced,
      graceMs: limits.snapshotGraceMs,
      packDeadShare: at.isTight ? 0 : limits.packDeadShare / 2,
    });
  } catch (error) {
    if (isRepriseError(error, "session_busy")) return undefined;
    throw error;
  }
}

/** A process that holds a folder open goes by what it knows as long as this file has the time it saw. */
function touched(path: string): void {
  const { atime, mtimeMs } = statSync(path);
  utimesSync(path, atime, new Date(Math.floor(mtimeMs) + 1));
}

function stamped(path: string): void {
  appendText(path, "");
  utimesSync(path, new Date(), new Date());
}
