import type { Connection, Statement } from "../../sqlite/connection.ts";

/** Statements of a connection, each prepared once. */
export class Statements {
  readonly #connection: Connection;
  readonly #known = new Map<string, Statement>();

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
}
