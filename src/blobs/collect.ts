import { lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { type Disk, exists, disk as realDisk } from "../base/disk.ts";
import { errnoOf } from "../base/errors.ts";
import { leaseLost, takeLeaseSync } from "../base/lease.ts";
import { limits } from "../base/limits.ts";
import { temporaryLife } from "../base/temporary-name.ts";
import { isBlobName } from "./name.ts";
import { openIfThere, type PackScan, readEntry, recordHeaderBytes, scanPack } from "./pack.ts";
import { isPackName, packPaths } from "./pack-index.ts";
import { PackWriter } from "./pack-writer.ts";
import { type BlobPlaces, blobPlaces } from "./places.ts";

/** What a collection did. */
export interface Collection {
  readonly deletedFiles: number;
  readonly deletedPacks: number;
  readonly freedBytes: number;
  /** Put back because a reference or a new use appeared while it lay in the trash. */
  readonly restored: number;
}

interface Run {
  readonly disk: Disk;
  readonly places: BlobPlaces;
  /** Files whose time is later are left alone. */
  readonly beforeMs: number;
  /** Whether something refers to a name; asked for the first time, it looks at everything that could. */
  readonly isLive: (name: string) => boolean;
  /** The time each file had when it was judged, by its place in the trash. */
  readonly judgedMs: Map<string, number>;
  /** A pack is rewritten when at least this share of it is dead. */
  readonly packDeadShare: number;
  /** Names of records that were copied out of packs this run moved, and synced. */
  readonly copied: Set<string>;
}

/**
 * Deletes content that nothing refers to and nobody used for the time of grace. Order: move to the
 * trash, ask for the references again, look whether a writer touched the file before it was moved, and
 * only then delete. `referenced` is called twice and must throw where it cannot name every reference.
 * A collection that was cut off is finished by the next; until then its trash is still read from.
 */
export function collectBlobs(
  folder: string,
  options: {
    readonly referenced: () => Iterable<string>;
    readonly nowMs?: number;
    readonly graceMs?: number;
    /** Packs with a smaller share of dead content stay as they are. */
    readonly packDeadShare?: number;
    readonly disk?: Disk;
  },
): Collection {
  const { referenced, nowMs = Date.now(), graceMs = limits.blobGraceMs, disk = realDisk } = options;
  if (!exists(folder)) return { deletedFiles: 0, deletedPacks: 0, freedBytes: 0, restored: 0 };
  const place = { folder, name: "collect" };
  const lease = takeLeaseSync(place, { waitMs: 0, staleMs: limits.leaseWorkStaleMs });
  try {
    const run: Run = {
      disk,
      places: blobPlaces(folder),
      beforeMs: nowMs - graceMs,
      isLive: onDemand(referenced),
      judgedMs: new Map(),
      packDeadShare: options.packDeadShare ?? limits.packDeadShare,
      copied: new Set(),
    };
    disk.makeDirectory(run.places.trash);
    moveFiles(run);
    movePacks(run);
    const live = secondLook(run, referenced);
    if (!lease.isKept()) throw leaseLost("the collection of large content");
    return emptyTrash(run, live);
  } finally {
    lease.release();
  }
}

/** Names are gathered when the first one is asked for: most often nothing is old enough to be judged. */
function onDemand(referenced: () => Iterable<string>): (name: string) => boolean {
  let live: ReadonlySet<string> | undefined;
  return (name) => {
    live ??= new Set(referenced());
    return live.has(name);
  };
}

/** Looks again, if anything lies in the trash. */
function secondLook(run: Run, referenced: () => Iterable<string>): ReadonlySet<string> {
  if (readdirSync(run.places.trash).length === 0) return new Set();
  try {
    return new Set(referenced());
  } catch (error) {
    for (const path of run.judgedMs.keys()) restore(run, path);
    throw error;
  }
}

function restore(run: Run, path: string): void {
  const name = basename(path);
  run.disk.rename(path, isPackName(name) ? join(run.places.packs, name) : run.places.file(name));
}

function moveFiles(run: Run): void {
  const { root } = run.places;
  for (const folder of readdirSync(root, { withFileTypes: true })) {
    if (!folder.isDirectory() || !/^[0-9a-f]{2}$/.test(folder.name)) continue;
    for (const name of readdirSync(join(root, folder.name))) {
      const path = join(root, folder.name, name);
      if (fileTime(path, run.beforeMs) === undefined) continue;
      if (isBlobName(name) && !run.isLive(name)) moveIfOld(run, path);
      // What a writer that was cut off left behind has no name anybody refers to.
      if (name.endsWith(".tmp") && temporaryLife(name) !== "alive") run.disk.remove(path);
    }
  }
}

function movePacks(run: Run): void {
  const writer = new PackWriter(run.places.packs, run.disk);
  const paths = packPaths(run.places.packs);
  const isMany = paths.length > limits.packs;
  for (const path of paths) {
    if (fileTime(path, run.beforeMs) === undefined) continue;
    const fd = openIfThere(run.disk, path);
    if (fd === undefined) continue;
    try {
      const scan = scanPack(run.disk, fd);
      if (!isWorthMoving(run, scan, { isMany })) continue;
      if (copyLive(run, { fd, scan, writer })) moveIfOld(run, path);
    } finally {
      run.disk.close(fd);
    }
  }
  writer.retire();
}

/**
 * A pack with damage inside is left as it is: what cannot be read now may yet be wanted. Of many packs the small ones are
 * joined: who looks for content opens each of them.
 */
function isWorthMoving(
  run: Run,
  scan: PackScan,
  { isMany }: { readonly isMany: boolean },
): boolean {
  if (scan.damagedBytes > 0) return false;
  if (isMany && scan.end < limits.smallPackBytes) return true;
  const liveBytes = scan.entries
    .filter((entry) => run.isLive(entry.name))
    .reduce((sum, entry) => sum + entry.length + recordHeaderBytes, 0);
  return scan.end === 0 || liveBytes <= scan.end * (1 - run.packDeadShare);
}

/** Copies what is alive into a new pack, durable before the old one moves. */
function copyLive(
  run: Run,
  from: { readonly fd: number; readonly scan: PackScan; readonly writer: PackWriter },
): boolean {
  const appended: ReturnType<PackWriter["append"]>[] = [];
  let isWhole = true;
  for (const entry of from.scan.entries) {
    if (!run.isLive(entry.name)) continue;
    // A name that came before may stand for a damaged copy, so each one is taken along, in order.
    const stored = readEntry(from.fd, entry);
    if (stored === undefined) isWhole = false;
    else appended.push(from.writer.append(entry.name, stored));
  }
  for (const pack of new Set(appended.map(({ pack }) => pack))) run.disk.syncNow(pack.fd);
  for (const { pack, place } of appended) {
    if (from.writer.settle(pack, place)) run.copied.add(place.name);
    else isWhole = false;
  }
  return isWhole;
}

function moveIfOld(run: Run, path: string): void {
  const timeMs = fileTime(path, run.beforeMs);
  if (timeMs === undefined) return;
  const trashed = join(run.places.trash, basename(path));
  try {
    run.disk.rename(path, trashed);
    run.judgedMs.set(trashed, timeMs);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

/** A regular file's time, if it is before the given one. */
function fileTime(path: string, beforeMs: number): number | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() && stat.mtimeMs < beforeMs ? stat.mtimeMs : undefined;
}

function emptyTrash(run: Run, live: ReadonlySet<string>): Collection {
  const { disk, places } = run;
  let [deletedFiles, deletedPacks, freedBytes, restored] = [0, 0, 0, 0];
  for (const name of readdirSync(places.trash)) {
    const isPack = isPackName(name);
    if (!isPack && !isBlobName(name)) continue;
    const path = join(places.trash, name);
    const timeMs = fileTime(path, run.beforeMs);
    const isUntouched = timeMs !== undefined && timeMs === (run.judgedMs.get(path) ?? timeMs);
    const isWanted = isPack ? holdsLive(run, path, live) : live.has(name);
    if (!isUntouched || isWanted) {
      restore(run, path);
      restored += 1;
      continue;
    }
    freedBytes += lstatSync(path).size;
    disk.remove(path);
    if (isPack) deletedPacks += 1;
    else deletedFiles += 1;
  }
  disk.syncDirectory(places.trash);
  return { deletedFiles, deletedPacks, freedBytes, restored };
}

/** Whether a pack in the trash has a referenced record that was not copied out of it in this run. */
function holdsLive(run: Run, path: string, live: ReadonlySet<string>): boolean {
  const fd = openIfThere(run.disk, path);
  if (fd === undefined) return false;
  try {
    const wasCopied = (name: string) => run.judgedMs.has(path) && run.copied.has(name);
    return scanPack(run.disk, fd).entries.some(({ name }) => live.has(name) && !wasCopied(name));
  } finally {
    run.disk.close(fd);
  }
}
