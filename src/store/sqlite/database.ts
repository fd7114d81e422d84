import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { disk } from "../../base/disk.ts";
import { makeDurableDirectory } from "../../base/durable-directory.ts";
import { errnoOf, isRepriseError, RepriseError } from "../../base/errors.ts";
import { whyRefused, writeError } from "../../base/system-error.ts";
import { Connection, type SqlValue, type Statement } from "../../sqlite/connection.ts";
import { isDatabaseDamage } from "../../sqlite/database.ts";
import { checkRegularFiles } from "../../sqlite/regular-files.ts";

/** "RPRS": says whose file this is. */
const applicationId = 0x52505253;
const schemaVersion = 1;

/*
 * A row of `line` is one line of a session's log with its newline, at the offset it has in the log: the rows of a session
 * in the order of `offset` are the bytes that a file would hold. `id`, `type` and `name` repeat what the line says, for
 * finding it; lines that are not events have none.
 */
const schema = `
create table session (
  number integer primary key autoincrement,
  id text not null unique,
  base text,
  isRemoved integer not null default 0
);
create index sessionBase on session (base) where base is not null;
create table line (
  session integer not null references session (number),
  offset integer not null,
  id integer,
  type text,
  name text,
  bytes blob not null
);
create unique index lineOffset on line (session, offset);
create unique index lineId on line (session, id) where id is not null;
create index lineName on line (session, name, id) where name is not null;
create table blob (name text primary key, bytes blob not null) without rowid;
create table blobUse (
  session integer not null references session (number),
  name text not null,
  primary key (session, name)
) without rowid;
create index blobUseName on blobUse (name);
pragma application_id = ${applicationId};
pragma user_version = ${schemaVersion};
`;

/** How much a commit waits for: `full` for the disk, `normal` for the system alone. */
export type CommitSync = "full" | "normal";

/** The database of a store: statements made ready once, changes in transactions, errors as ours. */
export class Database {
  readonly path: string;
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement>();
  #sync: CommitSync | undefined;
  #isOpen = true;

  constructor(path: string, { busyMs }: { readonly busyMs: number }) {
    this.path = path;
    makeFile(path);
    this.#connection = this.#clearly(() => new Connection(path, { busyMs }));
    try {
      this.#clearly(() => this.#prepareSchema());
    } catch (error) {
      this.#connection.close();
      throw error;
    }
  }

  /** The rows of a query, all of them: nothing stays open while the caller looks at them. */
  rows<Row>(sql: string, ...parameters: readonly SqlValue[]): readonly Row[] {
    return this.#clearly(() => this.#statement(sql).all(...parameters) as Row[]);
  }

  /** The first row of a query, or undefined. */
  first<Row>(sql: string, ...parameters: readonly SqlValue[]): Row | undefined {
    return this.#clearly(() => this.#statement(sql).get(...parameters) as Row | undefined);
  }

  /** Runs a statement inside a change. */
  run(sql: string, ...parameters: readonly SqlValue[]): number {
    return this.#statement(sql).run(...parameters);
  }

  /** Makes a change, all of it or nothing, alone among all processes. */
  change<T>(work: () => T, options: { readonly sync: CommitSync }): T {
    return this.#clearly(() => {
      if (this.#sync !== options.sync) {
        this.#connection.exec(`pragma synchronous = ${options.sync}`);
        this.#sync = options.sync;
      }
      this.#connection.exec("begin immediate");
      try {
        const result = work();
        this.#connection.exec("commit");
        return result;
      } catch (error) {
        this.#connection.exec("rollback");
        throw error;
      }
    });
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      // The file alone then holds everything, unless another process still reads.
      this.#connection.exec("pragma wal_checkpoint(truncate)");
    } catch {
      // The log beside it is read by the process that opens the database next.
    }
    this.#statements.clear();
    this.#connection.close();
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #prepareSchema(): void {
    const connection = this.#connection;
    connection.exec("pragma trusted_schema = off; pragma cell_size_check = on");
    // Before anything is changed: the file may be another program's.
    const isPrepared = this.#isPrepared();
    connection.exec("pragma journal_mode = wal; pragma foreign_keys = on");
    if (isPrepared) return;
    connection.exec("begin immediate");
    try {
      // Another process may have made it while this one waited.
      if (!this.#isPrepared()) connection.exec(schema);
      connection.exec("commit");
    } catch (error) {
      connection.exec("rollback");
      throw error;
    }
  }

  #isPrepared(): boolean {
    const pragma = (name: string) =>
      Number(Object.values(this.#connection.prepare(`pragma ${name}`).get() as object)[0]);
    const version = pragma("user_version");
    const { tables } = this.#connection
      .prepare("select count(*) as tables from sqlite_master")
      .get() as { readonly tables: number };
    if (version === 0 && tables === 0) return false;
    if (pragma("application_id") !== applicationId) {
      throw new RepriseError("bad_input", `${this.path} is a database of another program.`);
    }
    if (version > schemaVersion) {
      throw new RepriseError("newer_format", `${this.path} was written by a newer reprise.`);
    }
    return true;
  }

  #clearly<T>(act: () => T): T {
    if (!this.#isOpen) throw new RepriseError("closed", `The store ${this.path} is closed.`);
    try {
      return act();
    } catch (error) {
      throw isRepriseError(error) ? error : databaseError(error, this.path);
    }
  }
}

/** A new database is readable by its owner alone; what SQLite puts beside it gets the same mode. */
function makeFile(path: string): void {
  try {
    makeDurableDirectory(dirname(path), disk);
    closeSync(openSync(path, "ax", 0o600));
    disk.syncDirectory(dirname(path));
  } catch (error) {
    if (errnoOf(error) === "EEXIST") checkRegularFiles(path);
    else throw writeError(error, `${path} cannot be made: ${whyRefused(error)}.`);
  }
}

/** What SQLite refused, as an error of ours. */
function databaseError(cause: unknown, path: string): RepriseError {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (/locked|busy/i.test(message)) {
    return new RepriseError("session_busy", `Another process is writing to ${path}.`, { cause });
  }
  if (/readonly|unable to open/i.test(message)) {
    return new RepriseError("no_permission", `${path} cannot be written.`, { cause });
  }
  if (isDatabaseDamage(cause)) {
    return new RepriseError("damaged", `The database ${path} is damaged.`, { cause });
  }
  return new RepriseError("write_failed", `${path} could not be used: ${message}.`, { cause });
}
