import { type EngineDatabase, type EngineStatement, sqliteEngine } from "./engine.ts";

/** What a statement takes: about anything else, such as a boolean, engines disagree. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/** How a database is opened. */
export interface ConnectionOptions {
  readonly readOnly?: boolean;
  /** How long another one may hold the database before a call gives up; not at all unless told. */
  readonly busyMs?: number;
}

/** An open database that behaves alike on every engine. */
export class Connection {
  readonly #database: EngineDatabase;
  readonly #kept = new Map<string, Statement>();
  #isOpen = true;

  /** Opens a file, or an address that begins with `file:` and may end in options of SQLite's own. */
  constructor(location: string, { readOnly = false, busyMs }: ConnectionOptions = {}) {
    this.#database = new (sqliteEngine().DatabaseSync)(location, { readOnly });
    if (busyMs !== undefined) this.#database.exec(`pragma busy_timeout = ${busyMs}`);
  }

  /** Makes a statement ready. */
  prepare(sql: string): Statement {
    return new Statement(this.#database.prepare(sql));
  }

  /**
   * The same statement each time it is asked for: making one ready takes longer than a row. Not for those whose rows are
   * taken one at a time.
   */
  keep(sql: string): Statement {
    const known = this.#kept.get(sql);
    if (known !== undefined) return known;
    if (this.#kept.size >= mostKept) this.#kept.clear();
    const statement = this.prepare(sql);
    this.#kept.set(sql, statement);
    return statement;
  }

  /** Runs statements that have no parameters and whose rows nobody wants. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /**
   * Gives up the database; may be called twice. Node's own engine closes the files at once, the package when
   * the statements are collected as garbage.
   */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#kept.clear();
    this.#database.close();
  }
}

const mostKept = 128;

/** A statement made ready. Whole numbers go in as integers; blobs come out as `Uint8Array`. */
export class Statement {
  readonly #statement: EngineStatement;

  constructor(statement: EngineStatement) {
    this.#statement = statement;
  }

  /** The first row, or undefined. Like all that reads, it throws for an integer that a number cannot hold. */
  get(...parameters: readonly SqlValue[]): unknown {
    return this.#statement.get(...parameters.map(bound));
  }

  /** All rows. */
  all(...parameters: readonly SqlValue[]): unknown[] {
    return this.#statement.all(...parameters.map(bound));
  }

  /** The rows one at a time; until it ends, the statement must not be used for anything else. */
  iterate(...parameters: readonly SqlValue[]): IterableIterator<unknown> {
    return this.#statement.iterate(...parameters.map(bound));
  }

  /** Runs it and says how many rows changed. */
  run(...parameters: readonly SqlValue[]): number {
    return Number(this.#statement.run(...parameters.map(bound)).changes);
  }

  /** From now on integers come as `bigint`, whatever their size. */
  readBigInts(): this {
    this.#statement.setReadBigInts(true);
    return this;
  }
}

/** A number may be stored as a fraction, and 8 then reads 8.0 as a text; a bigint is an integer everywhere. */
function bound(value: SqlValue): SqlValue {
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}
