import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { exists } from "../base/disk.ts";
import { errnoOf, RepriseError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import type { Damage } from "../model/damage.ts";
import { Connection } from "./connection.ts";
import { isDatabaseDamage, type OpenedAs, ReadDatabase } from "./database.ts";
import { sqliteEngine } from "./engine.ts";
import { mendCopy, statedPageSize } from "./mend.ts";
import { privateCopy, signatureOf } from "./private-copy.ts";
import { checkRegularFiles } from "./regular-files.ts";
import { inspectWal, type WalReport } from "./wal.ts";

/** How another program's database is opened. */
export interface OpenOptions {
  /** The folder for private copies; under `$REPRISE_HOME` or the temporary folder if absent. */
  readonly copies?: string;
}

/**
 * Opens another program's database for reading and writes nothing beside it: in place where the
 * program's shared memory file is there, as immutable where no log waits, otherwise as a private copy.
 * A damaged database is mended in a copy as far as it goes, and the damage is reported.
 * Throws `not_found`, `no_sqlite`, or `damaged` where nothing at all can be read.
 */
export function openForReading(path: string, options: OpenOptions = {}): ReadDatabase {
  checkRegularFiles(path);
  sqliteEngine();
  const wal = walReport(path);
  if (wal?.brokenAt === undefined) {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const opened = openSound(path, { ...options, wal });
      if (opened === "changed") continue;
      if (opened !== undefined) return opened;
      break;
    }
  }
  return openMended(path, { ...options, wal });
}

type SoundOptions = OpenOptions & { readonly wal: WalReport | undefined };

function openSound(path: string, options: SoundOptions): ReadDatabase | "changed" | undefined {
  const before = signatureOf(path);
  const isStale = (): boolean => signatureOf(path).state !== before.state;
  // Only with both files: SQLite would create a missing one.
  if (exists(`${path}-shm`) && exists(`${path}-wal`)) {
    // Without a live writer SQLite builds its index in memory; it must not write the shared one.
    const there =
      connect(`${uriOf(path)}?mode=ro&readonly_shm=1`) ?? connect(`${uriOf(path)}?mode=ro`);
    if (there !== undefined) return database(there, path, "in_place", { isStale: () => false });
  }
  if (hasBytes(`${path}-wal`) || hasBytes(`${path}-journal`)) {
    const copy = privateCopy(path, options);
    const connection = connect(`${uriOf(copy)}?mode=rw`);
    const damage = unfinishedDamage(options.wal);
    return connection && database(connection, path, "copy", { isStale, damage });
  }
  const connection = connect(`${uriOf(path)}?immutable=1`);
  if (!isStale()) return connection && database(connection, path, "immutable", { isStale });
  connection?.close();
  return "changed";
}

function openMended(path: string, options: SoundOptions): ReadDatabase {
  const before = signatureOf(path);
  const { wal } = options;
  const variant = "-mended";
  const finish = (copy: string): void =>
    mendCopy(copy, wal && { path: `${copy}-wal`, report: wal });
  const copy = privateCopy(path, { ...options, variant, finish });
  const connection = connect(`${uriOf(copy)}?immutable=1`);
  if (connection === undefined) {
    throw new RepriseError("damaged", `The database ${path} cannot be read.`);
  }
  const detail =
    wal?.brokenAt === undefined
      ? "the file is cut or its header is damaged"
      : "the write-ahead log is damaged; what follows the damage was read all the same";
  const damage: Damage = {
    kind: "database",
    offset: wal?.brokenAt ?? 0,
    recovered: wal?.frames.filter((frame) => frame.good).length ?? 0,
    detail,
  };
  return database(connection, path, "mended_copy", {
    isStale: () => signatureOf(path).state !== before.state,
    damage: [damage],
  });
}

function database(
  connection: Connection,
  path: string,
  openedAs: OpenedAs,
  facts: { readonly isStale: () => boolean; readonly damage?: readonly Damage[] },
): ReadDatabase {
  return new ReadDatabase(connection, {
    path,
    openedAs,
    damage: facts.damage ?? [],
    isStale: facts.isStale,
  });
}

/** A connection whose schema can be read, or undefined if the file is damaged. */
function connect(location: string): Connection | undefined {
  let connection: Connection | undefined;
  try {
    connection = new Connection(location, {
      readOnly: !location.includes("mode=rw"),
      busyMs: limits.sqliteBusyMs,
    });
    // The schema is hostile input: no functions from it, and every cell is checked before use. A copy is derived data:
    // recovering it from its log needs no sync. One call: a list opens hundreds.
    connection.exec(
      "pragma trusted_schema = off; pragma cell_size_check = on; pragma query_only = on; pragma synchronous = off",
    );
    connection.prepare("select count(*) from sqlite_master").get();
    return connection;
  } catch (error) {
    connection?.close();
    if (isDatabaseDamage(error) || errnoOf(error) === "ERR_SQLITE_ERROR") return undefined;
    throw error;
  }
}

/** What the log beside a database holds; undefined if there is none or it is too large to check. */
export function walReport(path: string): WalReport | undefined {
  if (!hasBytes(`${path}-wal`)) return undefined;
  try {
    const pageSize = statedPageSize(path);
    return inspectWal(`${path}-wal`, pageSize === undefined ? {} : { pageSize });
  } catch (error) {
    // The writer may close and remove its log at any moment.
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function unfinishedDamage(wal: WalReport | undefined): readonly Damage[] {
  if (wal === undefined || wal.unfinishedBytes === 0) return [];
  const last = wal.frames.at(-1);
  const offset = last === undefined ? 0 : last.offset + wal.pageSize;
  const detail = "the write-ahead log ends in a transaction without its end";
  return [{ kind: "torn_tail", offset, length: wal.unfinishedBytes, recovered: 0, detail }];
}

function hasBytes(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function uriOf(path: string): string {
  return pathToFileURL(path).href;
}
