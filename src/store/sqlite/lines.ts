import { RepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { newline } from "../../jsonl/line.ts";
import { decodeLine, prefixOf } from "../../log/line.ts";
import type { EventId } from "../../model/event.ts";
import type { SqlValue } from "../../sqlite/connection.ts";
import type { Database } from "./database.ts";

/** A line of a session's log as its row holds it. */
export interface LineRow {
  readonly offset: number;
  readonly id: EventId | null;
  readonly bytes: Buffer;
}

/** A session of a lineage, as far as it counts: the tip to its end, a base to the event forked at. */
export interface RowSegment {
  readonly session: string;
  readonly number: number;
  readonly firstId: EventId;
  readonly endOffset: number;
}

/** How many rows are held at a time. */
const pageRows = 32;
const columns = "select offset, id, bytes from line";

/** The line of an event, or of the nearest one before it. */
export function lineAtOrBefore(
  database: Database,
  segment: RowSegment,
  id: EventId,
): LineRow | undefined {
  return one(
    database,
    `${columns} where session = ? and id <= ? and offset < ? order by id desc limit 1`,
    [segment.number, id, segment.endOffset],
  );
}

/** The line that begins at an offset. */
export function lineAt(database: Database, number: number, offset: number): LineRow | undefined {
  return one(database, `${columns} where session = ? and offset = ?`, [number, offset]);
}

/** The last line of a session, of whatever kind. */
export function lastLine(database: Database, number: number): LineRow | undefined {
  return one(database, `${columns} where session = ? order by offset desc limit 1`, [number]);
}

/** Every line of a session in the order of the log, events or not. */
export function* allLines(database: Database, segment: RowSegment): Generator<LineRow> {
  let from = 0;
  for (;;) {
    const sql = `${columns} where session = ? and offset >= ? and offset < ? order by offset limit ${pageRows}`;
    const page = many(database, sql, [segment.number, from, segment.endOffset]);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    from = last.offset + last.bytes.length;
  }
}

/** The lines of a session's events from an id on, or back from it. */
export function* eventLines(
  database: Database,
  segment: RowSegment,
  options: {
    readonly from?: EventId | undefined;
    readonly reverse?: boolean | undefined;
    /** Only `custom` events of this name. */
    readonly custom?: string | undefined;
  },
): Generator<LineRow> {
  const { reverse = false, custom } = options;
  const named = custom === undefined ? "" : "and name = ?";
  const name = custom === undefined ? [] : [custom];
  const order = reverse
    ? "id <= ? and offset < ? order by id desc"
    : "id >= ? and offset < ? order by id";
  const sql = `${columns} where session = ? ${named} and ${order} limit ${pageRows}`;
  let next = options.from ?? (reverse ? Number.MAX_SAFE_INTEGER : 0);
  for (;;) {
    const page = many(database, sql, [segment.number, ...name, next, segment.endOffset]);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageRows) return;
    next = last.id! + (reverse ? -1 : 1);
  }
}

/** Adds lines of a log at its end, each as a row; a line that is not an event, or whose number is taken, is kept without one. */
export function addLines(
  database: Database,
  number: number,
  options: { readonly offset: number; readonly lines: Iterable<Buffer> },
): void {
  let { offset } = options;
  let lastId =
    database.first<{ readonly id: number | null }>(
      "select max(id) as id from line where session = ?",
      number,
    )?.id ?? 0;
  for (const bytes of options.lines) {
    const found = prefixOf(bytes.subarray(0, -1));
    const event = found !== undefined && found.id > lastId ? found : undefined;
    if (event !== undefined) lastId = event.id;
    database.run(
      "insert into line (session, offset, id, type, name, bytes) values (?, ?, ?, ?, ?, ?)",
      number,
      offset,
      event?.id ?? null,
      event?.type ?? null,
      event?.type === "custom" ? customName(bytes) : null,
      bytes,
    );
    offset += bytes.length;
  }
}

function customName(line: Buffer): string | null {
  const event = decodeLine(line);
  return event?.type === "custom" && typeof event.name === "string" ? event.name : null;
}

/** Whole lines of some bytes, each with its newline; throws where the last one is not whole. */
export function* splitLines(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(newline, from) + 1;
    if (end === 0) throw new RepriseError("damaged", "The last line of the log is not whole.");
    if (end - from > limits.lineBytes + 1024)
      throw new RepriseError("too_large", "A line is over the limit.");
    yield bytes.subarray(from, end);
    from = end;
  }
}

function one(
  database: Database,
  sql: string,
  parameters: readonly SqlValue[],
): LineRow | undefined {
  const row = database.first<StoredRow>(sql, ...parameters);
  return row === undefined ? undefined : lineRow(row);
}

function many(
  database: Database,
  sql: string,
  parameters: readonly SqlValue[],
): readonly LineRow[] {
  return database.rows<StoredRow>(sql, ...parameters).map(lineRow);
}

interface StoredRow {
  readonly offset: number;
  readonly id: number | null;
  readonly bytes: Uint8Array;
}

function lineRow({ offset, id, bytes }: StoredRow): LineRow {
  return { offset, id, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}
