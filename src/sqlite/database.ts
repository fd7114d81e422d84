import type { JsonObject } from "../base/json.ts";
import type { Damage } from "../model/damage.ts";
import type { Connection, SqlValue, Statement } from "./connection.ts";

/** How a database was opened so that its folder stays as it was. */
export type OpenedAs = "in_place" | "immutable" | "copy" | "mended_copy";

/** A database of another program, open for reading only. */
export class ReadDatabase {
  /** The database the caller named, not the copy that may be read in its place. */
  readonly path: string;
  readonly openedAs: OpenedAs;
  /** What was found wrong while opening. */
  readonly damage: readonly Damage[];
  readonly #connection: Connection;
  readonly #isStale: () => boolean;
  /** Statements that are not running: the same query may be running further out. */
  readonly #idle = new Map<string, Statement[]>();

  constructor(
    connection: Connection,
    facts: {
      readonly path: string;
      readonly openedAs: OpenedAs;
      readonly damage: readonly Damage[];
      readonly isStale: () => boolean;
    },
  ) {
    this.#connection = connection;
    this.path = facts.path;
    this.openedAs = facts.openedAs;
    this.damage = facts.damage;
    this.#isStale = facts.isStale;
  }

  /** The rows of a query, one at a time. Throws where the database is damaged; see `isDatabaseDamage`. */
  *rows(sql: string, ...parameters: readonly SqlValue[]): Generator<JsonObject> {
    const statement = this.#take(sql);
    for (const row of statement.iterate(...parameters)) yield plainRow(row);
    // Only a statement that came to its end is used again: one that failed repeats its error.
    this.#idle.get(sql)?.push(statement);
  }

  /** The first row of a query, or undefined. */
  first(sql: string, ...parameters: readonly SqlValue[]): JsonObject | undefined {
    const statement = this.#take(sql);
    const row = statement.get(...parameters);
    this.#idle.get(sql)?.push(statement);
    return row === undefined ? undefined : plainRow(row);
  }

  /** The names of a table's columns; none where there is no such table (a view is none). */
  columns(table: string): readonly string[] {
    const kind = this.first("select type from sqlite_master where name = ?", table);
    if (kind?.["type"] !== "table") return [];
    const names: string[] = [];
    for (const row of this.rows("select name from pragma_table_info(?)", table)) {
      if (typeof row["name"] === "string") names.push(row["name"]);
    }
    return names;
  }

  /** Whether the source changed in a way this connection cannot see: open it again. */
  isStale(): boolean {
    return this.#isStale();
  }

  /** Gives up the database; may be called twice. */
  close(): void {
    this.#idle.clear();
    this.#connection.close();
  }

  #take(sql: string): Statement {
    let idle = this.#idle.get(sql);
    if (idle === undefined) {
      idle = [];
      this.#idle.set(sql, idle);
    }
    const known = idle.pop();
    if (known !== undefined) return known;
    // A number over 2^53 would otherwise throw in the middle of a read.
    return this.#connection.prepare(sql).readBigInts();
  }
}

function plainRow(row: unknown): JsonObject {
  const plain: Record<string, unknown> = {};
  for (const name in row as object) {
    const value = (row as JsonObject)[name];
    plain[name] = typeof value === "bigint" ? Number(value) : value;
  }
  return plain;
}

const damageCodes: ReadonlySet<number> = new Set([10, 11, 14, 26]);

/** Whether an error says that the file is damaged or cannot be read, not that the query is wrong. */
export function isDatabaseDamage(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const code = "errcode" in error ? error.errcode : undefined;
  if (typeof code === "number" && damageCodes.has(code & 0xff)) return true;
  const message = error instanceof Error ? error.message : "";
  return /malformed|not a database|disk i\/o|unsupported file format|corrupt/i.test(message);
}
