import { randomBytes } from "node:crypto";
import { createReadStream, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createGunzip, gunzipSync, gzipSync } from "node:zlib";
import { atomicWrite, writeFully } from "../base/atomic-write.ts";
import { type Disk, exists, disk as realDisk } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { errnoOf, RepriseError } from "../base/errors.ts";
import { readFully } from "../base/read-fully.ts";
import { temporaryName } from "../base/temporary-name.ts";
import { readHeader } from "../log/header.ts";
import type { EventFrame, SessionStart } from "../model/event.ts";
import type { Home } from "./home.ts";

const memberBytes = 4 * 1024 * 1024;
/** A member that cannot be made smaller is a little larger than what it holds. */
const memberRoom = memberBytes + 64 * 1024;

/** How the names of archived files end. */
export const archivedEnd = ".jsonl.gz";

/**
 * Keeps a compressed, durable copy of a session file; returns its path. The copy is a gzip file of many
 * members: written in flat memory, read by `zcat`, `zgrep` and the like. Another copy is never written over:
 * it may be all that is left of an older session with the same id.
 */
export function archiveFile(
  home: Home,
  file: string,
  { disk = realDisk }: { readonly disk?: Disk } = {},
): string {
  makeDurableDirectory(home.archive, disk);
  const session = basename(file, ".jsonl");
  const source = disk.openRead(file);
  try {
    const same = archivesOf(home, session).find((path) => isCopy(path, source, disk));
    if (same !== undefined) {
      // Anyone who wrote it may have been killed before its name was durable.
      disk.syncDirectory(home.archive);
      return same;
    }
    let path = join(home.archive, `${session}${archivedEnd}`);
    while (exists(path) || !atomicWrite(path, members(source), { publish: "exclusive", disk })) {
      const mark = randomBytes(4).toString("hex");
      path = join(home.archive, `${session}.${mark}${archivedEnd}`);
    }
    return path;
  } finally {
    disk.close(source);
  }
}

/** The archived files that have the name of a session, the longest first: a log only grows. */
export function archivesOf(home: Home, session: string): readonly string[] {
  if (!exists(home.archive)) return [];
  return readdirSync(home.archive)
    .filter((name) => name.startsWith(session) && nameEnd.test(name.slice(session.length)))
    .map((name) => join(home.archive, name))
    .map((path) => ({ path, size: statSync(path, { throwIfNoEntry: false })?.size ?? 0 }))
    .sort((a, b) => b.size - a.size)
    .map(({ path }) => path);
}

const nameEnd = /^(\.[0-9a-f]{8})?\.jsonl\.gz$/;

/** Whether an archived file is what archiving the source would write. */
function isCopy(archived: string, source: number, disk: Disk): boolean {
  const fd = disk.openRead(archived);
  try {
    let from = 0;
    for (const member of members(source)) {
      if (!readFully(fd, { from, length: member.length }).equals(member)) return false;
      from += member.length;
    }
    return readFully(fd, { from, length: 1 }).length === 0;
  } finally {
    disk.close(fd);
  }
}

function* members(source: number): Generator<Buffer> {
  for (let from = 0; ; from += memberBytes) {
    const bytes = readFully(source, { from, length: memberBytes });
    if (bytes.length > 0) yield gzipSync(bytes, { level: 4 });
    if (bytes.length < memberBytes) return;
  }
}

/** What an open archived file holds, piece by piece: each member begins as the first does, which chance does not. */
export function* archivedPieces(fd: number): Generator<Buffer> {
  const start = readFully(fd, { from: 0, length: 10 });
  for (let from = 0; ; ) {
    const bytes = readFully(fd, { from, length: memberRoom });
    if (bytes.length === 0) return;
    const next = bytes.indexOf(start, start.length);
    const member = next < 0 ? bytes : bytes.subarray(0, next);
    yield gunzipSync(member, { maxOutputLength: memberBytes });
    from += member.length;
  }
}

/**
 * Puts an archived session back under a name that must be free. `approve` sees its first line before it takes
 * the name; where it says no, nothing is left behind, and false is returned.
 */
export async function restoreArchived(
  archived: string,
  file: string,
  approve: (start: SessionStart & EventFrame) => Promise<boolean>,
  { disk = realDisk }: { readonly disk?: Disk } = {},
): Promise<boolean> {
  makeDurableDirectory(dirname(file), disk);
  const temporary = temporaryName(file);
  const fd = disk.openAppend(temporary, { create: true });
  try {
    const unpacked = createReadStream(archived).pipe(createGunzip());
    for await (const piece of unpacked) writeFully(disk, fd, piece as Buffer);
    disk.syncNow(fd);
    if (!(await approve(readHeader(fd, file).start))) return false;
    disk.link(temporary, file);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    throw new RepriseError("session_exists", `${file} already exists.`);
  } finally {
    disk.close(fd);
    disk.remove(temporary);
  }
  disk.syncDirectory(dirname(file));
  return true;
}
