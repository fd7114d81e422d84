import type { Row, RowBatch } from "./read-rows.ts";
import type { Statements } from "./statements.ts";

/** A row with its words. */
export interface Worded {
  readonly row: Row;
  readonly text: Uint8Array;
}

const rowsAtOnce = 16;
const wholeNumber = /^(?:0|[1-9]\d{0,8})$/;

/** The rows of a batch in groups that are inserted together. */
export function* groupsOf({ rows, texts }: RowBatch): Generator<readonly Worded[]> {
  let at = 0;
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    const group: Worded[] = [];
    for (const row of rows.slice(first, first + rowsAtOnce)) {
      group.push({ row, text: texts.subarray(at, at + row[4]) });
      at += row[4];
    }
    yield group;
  }
}

/**
 * The tables of events. What inserts several rows says "ignore" or "fail": before a statement that may be undone
 * alone, FTS5 writes out all it gathered. Words always are such a statement, so they go in row by row.
 */
export class EventRows {
  readonly #statements: Statements;
  readonly #tools = new Map<string, number>();

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Writes down the keys of rows with the events they are to become; tells whether all of them were new. */
  see(first: number, rows: readonly Worded[]): boolean {
    const keys = rows.flatMap(({ row }, at) => (row[3] === null ? [] : [row[3], first + at]));
    if (keys.length === 0) return true;
    const count = keys.length / 2;
    const added = this.#statements
      .inserting("or ignore into seen (key, event)", "(?, ?)", count)
      .run(...keys);
    return Number(added.changes) === count;
  }

  /** Inserts rows as the events from a number on. */
  put(first: number, source: number, rows: readonly Worded[]): void {
    const events: unknown[] = [];
    for (const [index, { row, text }] of rows.entries()) {
      const [number, what, at, , , tool] = row;
      const id = first + index;
      const named = wholeNumber.test(number) ? Number(number) : number;
      events.push(id, source, named, what, at, tool === null ? null : this.#toolNumber(tool));
      this.#statements
        .of("insert into words (rowid, text) values (?, cast(? as text))")
        .run(id, text);
    }
    const into = "or fail into event (id, source, number, what, at, tool)";
    this.#statements.inserting(into, "(?, ?, ?, ?, ?, ?)", rows.length).run(...events);
  }

  /** Removes an event with its words; its key stays. */
  remove(id: number): void {
    this.#statements.of("delete from event where id = ?").run(id);
    this.#statements.of("delete from words where rowid = ?").run(id);
  }

  /** Forgets what a transaction that was given up had made. */
  forget(): void {
    this.#tools.clear();
  }

  #toolNumber(name: string): number {
    let number = this.#tools.get(name);
    if (number === undefined) {
      this.#statements.of("insert or ignore into tool (name) values (?)").run(name);
      const row = this.#statements.of("select id from tool where name = ?").get(name);
      number = (row as { readonly id: number }).id;
      this.#tools.set(name, number);
    }
    return number;
  }
}
