import { closeSync, createReadStream, createWriteStream, fdatasyncSync, openSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, gzipSync } from "node:zlib";
import { writeFully } from "../base/atomic-write.ts";
import { disk } from "../base/disk.ts";
import { errnoOf, RepriseError } from "../base/errors.ts";
import { readFully } from "../base/read-fully.ts";
import type { Home } from "./home.ts";

const memberBytes = 4 * 1024 * 1024;

/**
 * Keeps a compressed, durable copy of a session file; returns its path. The copy is a gzip file of many
 * members: written in flat memory, read by `zcat`, `zgrep` and the like.
 */
export function archiveFile(home: Home, file: string): string {
  disk.makeDirectory(home.archive);
  const path = join(home.archive, `${basename(file)}.gz`);
  const temporary = `${path}.${process.pid}.tmp`;
  disk.remove(temporary);
  const source = disk.openRead(file);
  const target = disk.openAppend(temporary, { create: true });
  try {
    for (let from = 0; ; from += memberBytes) {
      const bytes = readFully(source, { from, length: memberBytes });
      if (bytes.length > 0) writeFully(disk, target, gzipSync(bytes, { level: 4 }));
      if (bytes.length < memberBytes) break;
    }
    disk.syncNow(target);
  } catch (error) {
    disk.remove(temporary);
    throw error;
  } finally {
    disk.close(target);
    disk.close(source);
  }
  disk.rename(temporary, path);
  disk.syncDirectory(home.archive);
  return path;
}

/** Puts an archived session back under a name that must be free. */
export async function restoreArchived(archived: string, file: string): Promise<void> {
  disk.makeDirectory(dirname(file));
  const temporary = `${file}.${process.pid}.tmp`;
  await pipeline(
    createReadStream(archived),
    createGunzip(),
    createWriteStream(temporary, { mode: 0o600 }),
  );
  const fd = openSync(temporary, "r");
  fdatasyncSync(fd);
  closeSync(fd);
  try {
    disk.link(temporary, file);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    throw new RepriseError("session_exists", `${file} is there already.`);
  } finally {
    disk.remove(temporary);
  }
  disk.syncDirectory(dirname(file));
}
