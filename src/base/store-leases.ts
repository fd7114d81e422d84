import { lstatSync, opendirSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errnoOf } from "./errors.ts";
import type { LeaseHolder } from "./holder.ts";
import { checkSessionId, sessionIdProblem } from "./ids.ts";
import { type LeasePlace, leasePrefix, liveHolder, tryLease } from "./lease.ts";
import { examineLease, findLeases, removeFile, removeLeftover } from "./lease-files.ts";
import { makeFolder } from "./make-folder.ts";

/*
 * The leases of a store: each name has a folder of its own, so that taking one lists that one's alone. Older versions
 * put the leases of all sessions into one folder, `leases` beside this one, and know nothing of these. So anyone who
 * takes a lease here first sees to it that they can take none any more: once every lease of theirs is dead or silent,
 * the folder becomes a file, and they fail before they write. Until then, theirs hold.
 */

const oldFolder = "leases";
const oldLease = /^(.+)\.lease\.[0-9]+$/;
const oldText =
  "Leases are in the folder writers. A version of reprise that looks for them here is too old to write.\n";

/** The lease of a name in a store whose leases lie under `root`. */
export function storeLease(root: string, name: string): LeasePlace {
  return {
    folder: join(root, checkSessionId(name)),
    name,
    isOwnFolder: true,
    holderElsewhere: () => settleOldLeases(root),
  };
}

/** The live holder of a name in a store, also one of an older version; changes nothing. */
export function storeHolder(root: string, name: string): LeaseHolder | undefined {
  return (
    liveHolder(storeLease(root, name)) ??
    liveHolder({ folder: join(dirname(root), oldFolder), name })
  );
}

/**
 * Removes what dead processes left: their leases, and folders without one. Only who holds a lease may remove
 * another, so each is taken for a moment. What is in use or cannot be removed is left alone.
 */
export function sweepLeases(root: string, mostFolders = Number.POSITIVE_INFINITY): void {
  try {
    const folders = opendirSync(root);
    try {
      for (let left = mostFolders; left > 0; left -= 1) {
        const entry = folders.readSync();
        if (entry === null) return;
        if (entry.isDirectory() && sessionIdProblem(entry.name) === undefined) {
          sweepFolder(root, entry.name);
        }
      }
    } finally {
      folders.closeSync();
    }
  } catch {
    // Nothing to sweep, or not ours to change.
  }
}

function sweepFolder(root: string, name: string): void {
  try {
    const place = storeLease(root, name);
    const { leases, leftovers } = findLeases(place.folder, leasePrefix(name));
    if (leases.length === 0) {
      for (const file of leftovers) removeLeftover(join(place.folder, file));
      rmdirSync(place.folder);
    } else if (leases.some(({ state }) => state === "dead")) {
      const attempt = tryLease(place);
      if (attempt.taken) attempt.lease.release();
    }
  } catch {
    // In use, or not ours to change.
  }
}

/** A live holder of an older version; undefined once there is none, and then there will be none any more. */
function settleOldLeases(root: string): LeaseHolder | undefined {
  const old = join(dirname(root), oldFolder);
  // A folder that was emptied is gone in the next round.
  for (let round = 0; round < 8; round += 1) {
    const stat = lstatSync(old, { throwIfNoEntry: false });
    if (stat?.isDirectory()) {
      const holder = emptiedOf(old);
      if (holder !== undefined) return holder;
    } else if (stat !== undefined || barred(old)) return undefined;
  }
  return undefined;
}

/** Removes the leases of older versions, unless one of them is live: then its holder. */
function emptiedOf(old: string): LeaseHolder | undefined {
  const names = readdirSync(old);
  const leases = names.flatMap((name) =>
    oldLease.test(name) ? (examineLease(join(old, name), 0) ?? []) : [],
  );
  const live = leases.find(({ state }) => state === "live");
  if (live !== undefined) return live.holder;
  for (const { path } of leases) removeFile(path);
  for (const name of names) if (name.endsWith(".tmp")) removeLeftover(join(old, name));
  try {
    rmdirSync(old);
  } catch {
    // A lease came, or something lies there that is not ours: it is looked at again with the next lease.
  }
  return undefined;
}

/** Puts a file where older versions want a folder; false where something else came first. */
function barred(old: string): boolean {
  makeFolder(dirname(old));
  try {
    writeFileSync(old, oldText, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}
