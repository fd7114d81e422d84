import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { disk } from "../base/disk.ts";
import { statOf } from "../base/folders.ts";
import { Connection } from "../sqlite/connection.ts";
import { isDatabaseDamage } from "../sqlite/database.ts";
import { createSchema, schemaVersion } from "./schema.ts";

/** The open index of all memories. */
export interface IndexFile {
  readonly connection: Connection;
  /** Whether the file still has its name: forgetting removes it. */
  isCurrent(): boolean;
  close(): void;
}

/** How long another process may write to the index before a call gives up. */
const busyMs = 10_000;

/** Opens the index below a folder for derived data; one that is missing, damaged or of another version is made anew (P11). */
export function openIndex(derived: string): IndexFile {
  disk.makeDirectory(derived);
  const path = indexPath(derived);
  for (let left = 3; ; left -= 1) {
    try {
      const index = opened(path);
      if (index !== undefined) return index;
    } catch (error) {
      if (left <= 1 || !isDatabaseDamage(error)) throw error;
    }
    removeIndex(derived);
  }
}

/** Deletes the index with all it says; it comes back by itself, from what the logs still hold. */
export function removeIndex(derived: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"])
    rmSync(indexPath(derived) + end, { force: true });
}

/** The file of the index. */
export function indexPath(derived: string): string {
  return join(derived, "memory.db");
}

/** The index of a file; undefined if it is of another version. */
function opened(path: string): IndexFile | undefined {
  // SQLite gives the files beside it the same mode.
  closeSync(openSync(path, "a", 0o600));
  const inode = inodeOf(path);
  const connection = new Connection(path, { busyMs });
  try {
    connection.exec("pragma journal_mode = wal; pragma synchronous = normal");
    const row = connection.prepare("pragma user_version").get() as { user_version: number };
    if (row.user_version === 0) createSchema(connection);
    else if (row.user_version !== schemaVersion) {
      connection.close();
      return undefined;
    }
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    connection,
    isCurrent: () => inodeOf(path) === inode,
    close: () => connection.close(),
  };
}

function inodeOf(path: string): string | undefined {
  const stat = statOf(path);
  return stat && `${stat.dev}:${stat.ino}`;
}
