import type { Row } from "./read-rows.ts";
import type { Statements } from "./statements.ts";

/** Whose an event is, and how many come before it. */
export interface EventPlace {
  readonly source: number;
  readonly place: number;
}

/** The tables of events. Rows go in one by one: FTS5 writes out all it gathered before a statement of several. */
export class EventRows {
  readonly #statements: Statements;
  readonly #tools = new Map<string, number>();

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Writes down a key with the event it is to become; says whether it was new. */
  see(key: number, id: number): boolean {
    const sql = "insert or ignore into seen (key, event) values (?, ?)";
    return this.#statements.of(sql).run(key, id) === 1;
  }

  /** Inserts an event with its words. */
  put(id: number, { source, place }: EventPlace, row: Row): void {
    const { number, what, atSeconds, words, parts, tool, act, files } = row;
    const named = tool === null ? null : this.#toolNumber(tool, act ?? "");
    this.#statements
      .of(
        "insert into event (id, source, place, number, what, at, tool) values (?, ?, ?, ?, ?, ?, ?)",
      )
      .run(id, source, place, number, what, atSeconds, named);
    this.#statements
      .of("insert into words (rowid, text, parts) values (?, ?, ?)")
      .run(id, words, parts);
    for (const path of files) this.#touch(id, path);
  }

  /** Removes an event with its words; its key stays. */
  remove(id: number): void {
    this.#statements.of("delete from event where id = ?").run(id);
    this.#statements.of("delete from words where rowid = ?").run(id);
    this.#statements.of("delete from touched where event = ?").run(id);
  }

  #touch(event: number, path: string): void {
    this.#statements.of("insert or ignore into file (path) values (?)").run(path);
    this.#statements
      .of("insert or ignore into touched (event, file) select ?, id from file where path = ?")
      .run(event, path);
  }

  #toolNumber(name: string, act: string): number {
    const key = `${act}\n${name}`;
    let number = this.#tools.get(key);
    if (number === undefined) {
      this.#statements.of("insert or ignore into tool (name, act) values (?, ?)").run(name, act);
      const row = this.#statements
        .of("select id from tool where name = ? and act = ?")
        .get(name, act);
      number = (row as { readonly id: number }).id;
      this.#tools.set(key, number);
    }
    return number;
  }
}
