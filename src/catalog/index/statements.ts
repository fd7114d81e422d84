import type { Connection, Statement } from "../../sqlite/engine.ts";

/** Statements of a connection, each prepared once. */
export class Statements {
  readonly #connection: Connection;
  readonly #known = new Map<string, Statement>();
  /** Those that insert, by how many rows at once. */
  readonly #sized = new Map<string, Statement[]>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The statement of a text. */
  of(sql: string): Statement {
    let statement = this.#known.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#known.set(sql, statement);
    }
    return statement;
  }

  /** The one that inserts so many rows of such values: a call of SQLite costs as much as a small row. */
  inserting(into: string, values: string, rows: number): Statement {
    const sized = this.#sized.get(into) ?? [];
    this.#sized.set(into, sized);
    sized[rows] ??= this.#connection.prepare(
      `insert ${into} values ${Array.from({ length: rows }, () => values).join(", ")}`,
    );
    return sized[rows];
  }
}
