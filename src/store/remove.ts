import { closeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Disk, exists, disk as realDisk } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { takeLeaseSync } from "../base/lease.ts";
import { readHeader } from "../log/header.ts";
import { openForReading } from "../log/open-file.ts";
import type { SessionStart } from "../model/event.ts";
import { archiveFile } from "./archive.ts";
import type { Home } from "./home.ts";
import { sessionFilesIn, sessionFolders } from "./locate.ts";

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
 * Removes a session. Order: lease, archive copy, then the file leaves its name: into `bases/` while forks
 * stand on it, else for good. Bases that nobody stands on any more go with it.
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
    const heldByForks = baseUsers(home).has(start.session);
    if (heldByForks) {
      makeDurableDirectory(home.bases, disk);
      disk.rename(file, join(home.bases, basename(file)));
      disk.syncDirectory(home.bases);
    } else disk.remove(file);
    disk.syncDirectory(dirname(file));
    releaseBases(home, start, disk);
    return { session: start.session, file, ...(archive !== undefined && { archive }), heldByForks };
  } finally {
    lease.release();
  }
}

/** Lets go of hidden bases, from the given fork downwards, that no fork stands on any more. */
function releaseBases(home: Home, removed: SessionStart, disk: Disk): void {
  let base = removed.base;
  while (base !== undefined) {
    const path = join(home.bases, `${base.session}.jsonl`);
    if (!exists(path) || baseUsers(home).has(base.session)) return;
    const next = startOfFile(path).base;
    disk.remove(path);
    disk.syncDirectory(home.bases);
    base = next;
  }
}

/** The sessions that some other session, seen or hidden, was forked from. */
export function baseUsers(home: Home): ReadonlySet<string> {
  const used = new Set<string>();
  for (const folder of [home.bases, ...sessionFolders(home)]) {
    for (const file of sessionFilesIn(folder)) {
      const base = quietStart(file)?.base;
      if (base !== undefined) used.add(base.session);
    }
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
