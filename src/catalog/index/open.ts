import { closeSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { disk } from "../../base/disk.ts";
import { errnoOf, isRepriseError } from "../../base/errors.ts";
import { fileStat } from "../../base/folders.ts";
import { Connection } from "../../sqlite/connection.ts";
import { isDatabaseDamage } from "../../sqlite/database.ts";
import { sqliteEngine } from "../../sqlite/engine.ts";
import { createSchema, pageBytes, schemaVersion } from "./schema.ts";

/** The open index of a home. */
export interface Catalog {
  readonly path: string;
  readonly connection: Connection;
  /** The home cannot be written: the index is read as it is. */
  readonly readOnly: boolean;
  /** What a user should know about how it was opened. */
  readonly notes: readonly string[];
  close(): void;
}

/** Why there is no index: the search then reads the sessions themselves. */
export interface NoCatalog {
  readonly why: string;
}

/**
 * Opens the index below a home's folder for derived data, making it where it is missing. A damaged one is
 * set aside, one of a newer version stays beside ours. Where there is no engine, or nothing can be
 * written and none is there, it says why instead.
 */
export function openCatalog(derived: string): Catalog | NoCatalog {
  try {
    sqliteEngine();
  } catch (error) {
    if (!isRepriseError(error, "no_sqlite")) throw error;
    return { why: "No SQLite engine is installed" };
  }
  const notes: string[] = [];
  let path = join(derived, "catalog.db");
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const opened = tryOpen(path, derived);
    if (opened === "newer") {
      path = join(derived, `catalog-${schemaVersion}.db`);
      notes.push("The index was made by a newer version; this version keeps its own beside it.");
    } else if (opened === "older") removeDatabase(path);
    else if (opened === "damaged") {
      if (!setAside(path)) return { why: "The index is damaged and cannot be moved" };
      notes.push(`The index was damaged; it was set aside as ${path}.damaged and is built again.`);
    } else if ("why" in opened) return opened;
    else return { ...opened, path, notes, close: () => opened.connection.close() };
  }
  return { why: "The index cannot be opened" };
}

/** How long the index is waited for where somebody writes to it. */
const busyMs = 5_000;

/** A connection to an index that can be written. */
export function connect(path: string): Connection {
  const connection = new Connection(path, { busyMs });
  // The size of a page counts only where the file is new, and before anything else.
  connection.exec(
    `pragma page_size = ${pageBytes}; pragma journal_mode = wal; pragma synchronous = normal`,
  );
  return connection;
}

type Opened =
  | { readonly connection: Connection; readonly readOnly: boolean }
  | NoCatalog
  | "newer"
  | "older"
  | "damaged";

function tryOpen(path: string, derived: string): Opened {
  let connection: Connection | undefined;
  let readOnly = false;
  try {
    const isNew = makeFile(path, derived);
    if (isNew === undefined) {
      readOnly = true;
      connection = openReadOnly(path);
      if (connection === undefined) return { why: "The index cannot be written" };
    } else {
      connection = connect(path);
    }
    const version = versionOf(connection);
    if (version === 0 && !readOnly) makeTables(connection);
    else if (version > schemaVersion || version < schemaVersion) {
      connection.close();
      if (readOnly) return { why: "The index is of another version and cannot be written" };
      return version > schemaVersion ? "newer" : "older";
    }
    connection.prepare("select count(*) from setting").get();
    return { connection, readOnly };
  } catch (error) {
    connection?.close();
    if (isDatabaseDamage(error) && !readOnly) return "damaged";
    // Tables are missing though the version says they are there: a file that was tampered with.
    if (error instanceof Error && /no such table/.test(error.message)) return "damaged";
    return { why: `The index cannot be opened (${messageOf(error)})` };
  }
}

/** Makes an empty file only its owner can read; SQLite gives the files beside it the same mode. Undefined where it cannot be written. */
function makeFile(path: string, derived: string): boolean | undefined {
  try {
    disk.makeDirectory(derived);
    closeSync(openSync(path, "ax", 0o600));
    return true;
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") return undefined;
  }
  try {
    closeSync(openSync(path, "r+"));
    return false;
  } catch {
    return undefined;
  }
}

function openReadOnly(path: string): Connection | undefined {
  if (fileStat(path) === undefined) return undefined;
  const { href } = pathToFileURL(path);
  // A folder that cannot be written has no room for shared memory.
  for (const location of [`${href}?mode=ro`, `${href}?immutable=1`]) {
    try {
      const connection = new Connection(location, { readOnly: true });
      connection.prepare("select count(*) from sqlite_master").get();
      return connection;
    } catch {
      // The next way may work.
    }
  }
  return undefined;
}

function versionOf(connection: Connection): number {
  const row = connection.prepare("pragma user_version").get() as { user_version: number };
  return row.user_version;
}

function makeTables(connection: Connection): void {
  try {
    createSchema(connection);
  } catch (error) {
    try {
      connection.exec("rollback");
    } catch {
      // There was none to roll back.
    }
    // Another process made them in the same moment.
    if (versionOf(connection) !== schemaVersion) throw error;
  }
}

/** Moves a damaged index out of the way; false if that cannot be done. */
export function setAside(path: string): boolean {
  try {
    rmSync(`${path}.damaged`, { force: true });
    renameSync(path, `${path}.damaged`);
    for (const side of ["-wal", "-shm"]) rmSync(path + side, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** Removes an index; it comes back by itself (P11). */
export function removeDatabase(path: string): void {
  for (const side of ["", "-wal", "-shm"]) rmSync(path + side, { force: true });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
