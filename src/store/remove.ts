import { closeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Disk, exists, disk as realDisk } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { errnoOf } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import { takeLeaseSync } from "../base/lease.ts";
import { readHeader } from "../log/header.ts";
import { openForReading } from "../log/open-file.ts";
import type { SessionStart } from "../model/event.ts";
import { archiveFile } from "./archive.ts";
import { fileNameOf, type Home, leavingEnd, leavingPath } from "./home.ts";
import { leavingFiles, sessionFilesIn, sessionFolders } from "./locate.ts";

/** What became of a removed session. */
export interface Removal {
  readonly session: string;
  readonly file: string;
  /** The compressed copy, where one was kept. */
  readonly archive?: string;
  /** True where forks stand on it: it is hidden until the last of them goes. */
  readonly heldByForks: boolean;
}

/**
 * Removes a session. Order: lease, archive copy, then the file leaves its name, and only then is it asked who
 * stands on it. A fork is published before it looks for its base: so either it is seen here, and the session
 * goes into `bases/`, or it misses its base and is given up.
 */
export function removeSession(
  home: Home,
  file: string,
  options: { readonly archive?: boolean; readonly waitMs?: number; readonly disk?: Disk } = {},
): Removal {
  const { disk = realDisk } = options;
  const start = startOfFile(file);
  const lease = takeLeaseSync(home.leases, start.session, { waitMs: options.waitMs });
  try {
    const archive = options.archive === false ? undefined : archiveFile(home, file, { disk });
    makeDurableDirectory(home.bases, disk);
    const leaving = leavingPath(home, start.session);
    disk.rename(file, leaving);
    failpoint("remove.after-leaving");
    const heldByForks = settle(home, leaving, disk);
    failpoint("remove.after-settling");
    disk.syncDirectory(dirname(file));
    releaseBases(home, start, disk);
    for (const left of leavingFiles(home)) settle(home, left, disk);
    return { session: start.session, file, ...(archive !== undefined && { archive }), heldByForks };
  } finally {
    lease.release();
  }
}

/** Hides a session that is leaving where forks stand on it, else lets it go; whether it stays. */
function settle(home: Home, leaving: string, disk: Disk): boolean {
  const session = basename(leaving, leavingEnd);
  const isUsed = baseUsers(home).has(session);
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

/** Lets go of hidden bases, from the given fork downwards, that no fork stands on any more. */
function releaseBases(home: Home, removed: SessionStart, disk: Disk): void {
  let base = removed.base;
  while (base !== undefined) {
    const path = join(home.bases, fileNameOf(base.session));
    if (!exists(path) || baseUsers(home).has(base.session)) return;
    const next = startOfFile(path).base;
    const leaving = leavingPath(home, base.session);
    disk.rename(path, leaving);
    if (settle(home, leaving, disk)) return;
    base = next;
  }
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

function quietStart(file: string): SessionStart | undefined {
  try {
    return startOfFile(file);
  } catch {
    return undefined;
  }
}

function startOfFile(file: string): SessionStart {
  const fd = openForReading(file);
  try {
    return readHeader(fd, file).start;
  } finally {
    closeSync(fd);
  }
}
