import { RepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { newline } from "../../jsonl/line.ts";
import { decodeLine } from "../../log/line.ts";
import { takenId } from "../log-store.ts";
import { BlobRows } from "../sqlite/blobs.ts";
import { Database } from "../sqlite/database.ts";
import { addLines, allLines, lastLine, lineAt } from "../sqlite/lines.ts";
import { numberOf } from "../sqlite/sqlite-log.ts";
import type { RawSession, RawStore } from "./raw-store.ts";

const busyMs = 5_000;

interface SessionRow {
  readonly number: number;
  readonly id: string;
  readonly isRemoved: number;
}

/** The sessions of a database as bytes. */
export class RowSessions implements RawStore {
  readonly place: string;
  readonly #database: Database;
  readonly #blobs: BlobRows;

  constructor(place: string) {
    this.place = place;
    this.#database = new Database(place, { busyMs });
    this.#blobs = new BlobRows(this.#database, undefined);
  }

  list(): readonly RawSession[] {
    const rows = this.#database.rows<SessionRow>("select number, id, isRemoved from session");
    return rows.map((row) => this.#raw(row));
  }

  find(session: string): RawSession | undefined {
    const sql = "select number, id, isRemoved from session where id = ?";
    const row = this.#database.first<SessionRow>(sql, session);
    return row === undefined ? undefined : this.#raw(row);
  }

  blob(name: string): Buffer | undefined {
    return this.#blobs.stored(name);
  }

  add(session: RawSession, blobs: ReadonlyMap<string, () => Buffer>): void {
    const database = this.#database;
    const { session: id, base, isHidden } = session;
    const write = (): void => {
      if (numberOf(database, id, { removed: true }) !== undefined) throw takenId(id);
      database.run(
        "insert into session (id, base, isRemoved) values (?, ?, ?)",
        id,
        base ?? null,
        isHidden ? 1 : 0,
      );
      const number = numberOf(database, id, { removed: true })!;
      addLines(database, number, { offset: 0, lines: wholeLines(session.pieces()) });
      for (const [name, stored] of blobs) this.#blobs.keep(name, stored(), number);
    };
    database.change(write, { sync: "full" });
  }

  close(): void {
    this.#database.close();
  }

  #raw({ number, id, isRemoved }: SessionRow): RawSession {
    const first = lineAt(this.#database, number, 0);
    const last = lastLine(this.#database, number);
    const event = first && decodeLine(first.bytes.subarray(0, -1));
    const start = event?.type === "session_start" ? event : undefined;
    const sizeBytes = last === undefined ? 0 : last.offset + last.bytes.length;
    const segment = { session: id, number, firstId: 0, endOffset: sizeBytes };
    const database = this.#database;
    return {
      session: id,
      base: start?.base?.session,
      project: start?.project,
      sizeBytes,
      isHidden: isRemoved === 1,
      ...(start === undefined && { problem: "its first line is not a session_start" }),
      *pieces() {
        for (const { bytes } of allLines(database, segment)) yield bytes;
      },
    };
  }
}

/** The lines of bytes that come in pieces, each with its newline. */
function* wholeLines(pieces: Iterable<Buffer>): Generator<Buffer> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, from)) {
      const rest = piece.subarray(from, end + 1);
      yield begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
      begun = [];
      begunBytes = 0;
      from = end + 1;
    }
    if (from === piece.length) continue;
    begun.push(piece.subarray(from));
    begunBytes += piece.length - from;
    if (begunBytes <= limits.copiedLineBytes) continue;
    throw new RepriseError("too_large", "A line of the log is over the limit of a row.");
  }
}
