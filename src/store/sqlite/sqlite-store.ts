import { resolve } from "node:path";
import { checkSessionId } from "../../base/ids.ts";
import { firstLine } from "../../log/first-line.ts";
import { sealFor } from "../../log/seal.ts";
import type { SessionEvent, SessionStart } from "../../model/event.ts";
import type { SessionHead } from "../../model/head.ts";
import type { HeadsFilter, OpenedSession, ReadRange, Store, SyncSessions } from "../contract.ts";
import { filteredHeads, newestOfProject } from "../heads-filter.ts";
import { headOfLog } from "../log-head.ts";
import { LogStore, noSession, openedFrom, takenId } from "../log-store.ts";
import type { SessionLog } from "../session-log.ts";
import { Database } from "./database.ts";
import { addLines } from "./lines.ts";
import { numberOf, SqliteLog, type SqliteLogOptions } from "./sqlite-log.ts";

/** How a store in a database is opened. */
export interface SqliteStoreOptions extends SqliteLogOptions {
  /** How long to wait for another process that is writing. Default 5 seconds. */
  readonly waitMs?: number | undefined;
}

interface SessionRow {
  readonly number: number;
  readonly base: string | null;
}

const defaultWaitMs = 5_000;

/** Sessions in one SQLite file, which several processes may use at once. Their lines are those that files would hold. */
export class SqliteStore extends LogStore implements Store {
  /** What people see of it; the entry is minified. */
  static override readonly name = "SqliteStore";
  /** The database. */
  readonly file: string;
  readonly #database: Database;
  readonly #options: SqliteStoreOptions;

  readonly sync: SyncSessions = {
    create: (start) => this.#create(start),
    open: (session) => this.log(session),
    heads: (filter) => this.#heads(filter),
  };

  /** Opens a database, or makes it. Throws `no_sqlite` where this Node has no engine. */
  constructor(path: string, options: SqliteStoreOptions = {}) {
    super();
    this.file = resolve(path);
    this.#options = options;
    this.#database = new Database(this.file, { busyMs: options.waitMs ?? defaultWaitMs });
  }

  override async create(start: SessionStart): Promise<OpenedSession> {
    return openedFrom(this.#create(start));
  }

  override async *read(session: string, range: ReadRange = {}): AsyncGenerator<SessionEvent> {
    const log = this.#log(session);
    // Names of sealed events are not in the rows.
    if (range.custom === undefined || log.start.seal !== undefined)
      yield* super.read(session, range);
    else yield* log.rawEvents(range);
  }

  async *heads(filter?: HeadsFilter): AsyncGenerator<SessionHead> {
    yield* this.#heads(filter);
  }

  async remove(session: string): Promise<void> {
    this.#database.change(() => this.#remove(session), { sync: "full" });
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  protected override log(session: string): SessionLog {
    return this.#log(session);
  }

  #log(session: string): SqliteLog {
    const number = numberOf(this.#database, checkSessionId(session));
    if (number === undefined) throw noSession(session);
    return new SqliteLog(this.#database, number, this.#options);
  }

  #create(start: SessionStart): SessionLog {
    const { secret, sync } = this.#options;
    checkSessionId(start.session);
    const seal = secret === undefined ? undefined : sealFor(start, secret);
    const header = seal === undefined ? start : { ...start, seal: seal.header };
    const bytes = Buffer.from(firstLine(header, { seal }));
    const number = this.#database.change(() => this.#addSession(start, bytes), {
      sync: sync === "none" ? "normal" : "full",
    });
    return new SqliteLog(this.#database, number, this.#options);
  }

  #addSession({ session, base }: SessionStart, bytes: Buffer): number {
    const database = this.#database;
    if (numberOf(database, session, { removed: true }) !== undefined) throw takenId(session);
    if (base !== undefined && numberOf(database, base.session, { removed: true }) === undefined)
      throw noSession(base.session);
    database.run("insert into session (id, base) values (?, ?)", session, base?.session ?? null);
    const number = numberOf(database, session)!;
    addLines(database, number, { offset: 0, lines: [bytes] });
    return number;
  }

  /** Takes a session away; one that others stand on stays in the database until the last of them goes. */
  #remove(session: string): void {
    const database = this.#database;
    if (numberOf(database, session) === undefined) throw noSession(session);
    database.run("update session set isRemoved = 1 where id = ?", session);
    for (let id: string | null = session; id !== null; ) {
      const row: SessionRow | undefined = database.first<SessionRow>(
        `select number, base from session where id = ? and isRemoved = 1
           and not exists (select 1 from session as fork where fork.base = session.id)`,
        id,
      );
      if (row === undefined) return;
      database.run("delete from line where session = ?", row.number);
      database.run(
        `delete from blob where name in (select name from blobUse where session = ?1)
           and not exists (select 1 from blobUse where name = blob.name and session <> ?1)`,
        row.number,
      );
      database.run("delete from blobUse where session = ?", row.number);
      database.run("delete from session where number = ?", row.number);
      id = row.base;
    }
  }

  #heads(filter: HeadsFilter = {}): Iterable<SessionHead> {
    const rows = this.#database.rows<{ readonly number: number }>(
      "select number from session where isRemoved = 0 order by number desc",
    );
    const heads = rows.map(({ number }) => {
      const log = new SqliteLog(this.#database, number, this.#options);
      return headOfLog(log, { path: this.file, newest: log.newest() });
    });
    return filteredHeads(newestOfProject(heads, filter.cwd), filter);
  }
}
