import { closeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Disk, exists, disk as realDisk } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { errnoOf } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import { sessionIdProblem } from "../base/ids.ts";
import { leaseLost, takeLeaseSync } from "../base/lease.ts";
import { limits } from "../base/limits.ts";
import { openForReading } from "../base/open-file.ts";
import { storeLease } from "../base/store-leases.ts";
import { readHeader } from "../log/header.ts";
import { settleOldStrip } from "../log/old-strip.ts";
import type { EventFrame, SessionStart } from "../model/event.ts";
import { archiveFile } from "./archive.ts";
import { fileNameOf, type Home, leavingEnd, leavingPath, placesOf } from "./home.ts";
import { findBaseFile, leavingFiles, sessionFilesIn, sessionFolders } from "./locate.ts";

/** A session, told from a later one of the same id by when it was begun. */
export interface Begun {
  readonly session: string;
  readonly begunAt: string;
}

/** A session that is about to go: what bringing it back needs. */
export interface Leaving extends Begun {
  readonly file: string;
  /** The compressed copy, where one was kept. */
  readonly archive?: string;
  /** What it was forked from, down to the root. */
  readonly standsOn: readonly Begun[];
}

/** What became of a removed session. */
export interface Removal extends Leaving {
  /** True where forks stand on it: it is hidden until the last of them goes. */
  readonly heldByForks: boolean;
  /** The hidden bases that went with the last fork on them. */
  readonly bases: readonly ReleasedBase[];
}

/** A hidden base that was let go, and its compressed copy, where one was kept. */
export interface ReleasedBase {
  readonly session: string;
  readonly archive?: string;
}

/** How a session is removed. */
export interface RemoveOptions {
  /** Whether compressed copies are kept, of it and of bases that go with it. Default: yes. */
  readonly archive?: boolean;
  readonly waitMs?: number;
  readonly disk?: Disk;
  /** Called once nothing is left to do but to let it go; what it throws keeps the session. */
  readonly beforeLeaving?: (leaving: Leaving) => void;
}

/**
 * Removes a session. Order: lease, archive copy, `beforeLeaving`, then the file leaves its name, and only then is
 * it asked who stands on it. A fork is published before it looks for its base: so either it is seen here, and the session
 * goes into `bases/`, or it misses its base and is given up.
 */
export function removeSession(home: Home, file: string, options: RemoveOptions = {}): Removal {
  const { disk = realDisk } = options;
  const start = startOfFile(file);
  const lease = takeLeaseSync(storeLease(home.leases, start.session), {
    waitMs: options.waitMs,
    staleMs: limits.leaseWorkStaleMs,
  });
  try {
    settleStripOf(home, file, disk);
    const archive = options.archive === false ? undefined : archiveFile(home, file, { disk });
    const leaving: Leaving = {
      session: start.session,
      file,
      begunAt: start.at,
      ...(archive !== undefined && { archive }),
      standsOn: basesOf(home, file, start),
    };
    if (!lease.isKept()) throw leaseLost(start.session);
    options.beforeLeaving?.(leaving);
    makeDurableDirectory(home.bases, disk);
    const path = leavingPath(home, start.session);
    disk.rename(file, path);
    failpoint("remove.after-leaving");
    const heldByForks = settle(home, path, disk);
    failpoint("remove.after-settling");
    disk.syncDirectory(dirname(file));
    const bases = releaseBases(home, start, options);
    settleLeaving(home, disk);
    return { ...leaving, heldByForks, bases };
  } finally {
    lease.release();
  }
}

/** Sessions that leave before it is asked who stands on them; each is held by a lease meanwhile. */
const leavingTogether = 128;

/**
 * Removes sessions that stand on no other, without a copy, in the same order: some leave their names, then it is asked once
 * who stands on them. To ask for each alone would read the first lines of all others each time.
 */
export function removeSessions(home: Home, files: readonly string[]): void {
  makeDurableDirectory(home.bases, realDisk);
  for (let at = 0; at < files.length; at += leavingTogether) {
    const some = files.slice(at, at + leavingTogether);
    const leases: ReturnType<typeof takeLeaseSync>[] = [];
    const left: string[] = [];
    try {
      for (const file of some) {
        const { session } = startOfFile(file);
        const lease = takeLeaseSync(storeLease(home.leases, session), {
          staleMs: limits.leaseWorkStaleMs,
        });
        leases.push(lease);
        settleStripOf(home, file, realDisk);
        if (!lease.isKept()) throw leaseLost(session);
        const path = leavingPath(home, session);
        realDisk.rename(file, path);
        left.push(path);
        failpoint("remove.after-leaving");
      }
      const users = baseUsers(home);
      for (const path of left) settle(home, path, realDisk, users);
      for (const folder of new Set(some.map(dirname))) realDisk.syncDirectory(folder);
    } finally {
      for (const lease of leases) lease.release();
    }
  }
}

/** Finishes removals that were killed halfway. */
export function settleLeaving(home: Home, disk: Disk = realDisk): void {
  for (const left of leavingFiles(home)) settle(home, left, disk);
}

/** Hides a session that is leaving where forks stand on it, else lets it go; whether it stays. */
function settle(
  home: Home,
  leaving: string,
  disk: Disk,
  users: ReadonlySet<string> = baseUsers(home),
): boolean {
  const session = basename(leaving, leavingEnd);
  const isUsed = users.has(session);
  try {
    if (isUsed) disk.rename(leaving, join(home.bases, fileNameOf(session)));
    else disk.remove(leaving);
  } catch (error) {
    // Another process found it left behind, and settled it.
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  disk.syncDirectory(home.bases);
  return isUsed;
}

/** What a session was forked from, as far down as it is there. */
function basesOf(home: Home, file: string, fork: SessionStart): readonly Begun[] {
  const bases: Begun[] = [];
  let near = file;
  let base = fork.base;
  while (base !== undefined && bases.length < limits.lineageDepth) {
    // A first line may say anything, and this id becomes a path.
    if (sessionIdProblem(base.session) !== undefined) break;
    const path = findBaseFile(home, base.session, near);
    const start = path === undefined ? undefined : quietStart(path);
    if (path === undefined || start === undefined) break;
    bases.push({ session: base.session, begunAt: start.at });
    near = path;
    base = start.base;
  }
  return bases;
}

/**
 * Lets go of hidden bases, from the given fork downwards, that no fork stands on any more. A fork that may come
 * back from the archive needs its beginning there too.
 */
function releaseBases(
  home: Home,
  removed: SessionStart,
  options: RemoveOptions,
): readonly ReleasedBase[] {
  const { disk = realDisk } = options;
  const released: ReleasedBase[] = [];
  let base = removed.base;
  while (base !== undefined && sessionIdProblem(base.session) === undefined) {
    const { session } = base;
    const path = join(home.bases, fileNameOf(session));
    if (!exists(path) || baseUsers(home).has(session)) break;
    base = startOfFile(path).base;
    const archive = options.archive === false ? undefined : archiveFile(home, path, { disk });
    const leaving = leavingPath(home, session);
    disk.rename(path, leaving);
    if (settle(home, leaving, disk)) break;
    released.push({ session, ...(archive !== undefined && { archive }) });
  }
  return released;
}

/** The sessions that some other session, seen or hidden, was forked from. */
function baseUsers(home: Home): ReadonlySet<string> {
  const used = new Set<string>();
  const files = [home.bases, ...sessionFolders(home)].flatMap(sessionFilesIn);
  for (const file of [...files, ...leavingFiles(home)]) {
    const base = quietStart(file)?.base;
    if (base !== undefined) used.add(base.session);
  }
  return used;
}

function quietStart(file: string): (SessionStart & EventFrame) | undefined {
  try {
    return startOfFile(file);
  } catch {
    return undefined;
  }
}

/** What a power cut left in the strip of an older version alone belongs to the session that goes. */
function settleStripOf(home: Home, file: string, disk: Disk): void {
  const fd = openForReading(file);
  try {
    const { session } = readHeader(fd, file).start;
    settleOldStrip(placesOf(home, file), { session, fd }, disk);
  } finally {
    closeSync(fd);
  }
}

/** The first line of a session file. */
export function startOfFile(file: string): SessionStart & EventFrame {
  const fd = openForReading(file);
  try {
    return readHeader(fd, file).start;
  } finally {
    closeSync(fd);
  }
}
