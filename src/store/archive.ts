import { createReadStream } from "node:fs";
import { basename, dirname, join } from "node:path";
import { atomicWrite, writeFully } from "../base/atomic-write.ts";
import { type Disk, disk as realDisk } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { errnoOf, RepriseError } from "../base/errors.ts";
import { nodeZlib } from "../base/node-modules.ts";
import { readFully } from "../base/read-fully.ts";
import type { Home } from "./home.ts";

const memberBytes = 4 * 1024 * 1024;

/**
 * Keeps a compressed, durable copy of a session file; returns its path. The copy is a gzip file of many
 * members: written in flat memory, read by `zcat`, `zgrep` and the like.
 */
export function archiveFile(
  home: Home,
  file: string,
  { disk = realDisk }: { readonly disk?: Disk } = {},
): string {
  makeDurableDirectory(home.archive, disk);
  const path = join(home.archive, `${basename(file)}.gz`);
  const source = disk.openRead(file);
  try {
    atomicWrite(path, members(source), { disk });
  } finally {
    disk.close(source);
  }
  return path;
}

function* members(source: number): Generator<Buffer> {
  for (let from = 0; ; from += memberBytes) {
    const bytes = readFully(source, { from, length: memberBytes });
    if (bytes.length > 0) yield nodeZlib().gzipSync(bytes, { level: 4 });
    if (bytes.length < memberBytes) return;
  }
}

/** Puts an archived session back under a name that must be free. */
export async function restoreArchived(
  archived: string,
  file: string,
  { disk = realDisk }: { readonly disk?: Disk } = {},
): Promise<void> {
  makeDurableDirectory(dirname(file), disk);
  const temporary = `${file}.${process.pid}.tmp`;
  // What a killed process of the same number left behind.
  disk.remove(temporary);
  const fd = disk.openAppend(temporary, { create: true });
  try {
    const unpacked = createReadStream(archived).pipe(nodeZlib().createGunzip());
    for await (const piece of unpacked) writeFully(disk, fd, piece as Buffer);
    disk.syncNow(fd);
    disk.link(temporary, file);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    throw new RepriseError("session_exists", `${file} is there already.`);
  } finally {
    disk.close(fd);
    disk.remove(temporary);
  }
  disk.syncDirectory(dirname(file));
}
