import { holdsText } from "../../../base/holds-text.ts";
import { asString, type JsonObject } from "../../../base/json.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import { readLine } from "../../../jsonl/records.ts";
import { acceptsRecord, historyIn, isOfChain } from "../record-types.ts";

/** A record on the program's path: the line it stands in, and its place in a line that holds several. */
export interface LiveRecord {
  readonly offset: number;
  readonly at: number;
  readonly record: JsonObject;
}

/** How far the path was followed towards the start of the file. */
export interface PathEnd {
  /** The record that the program would continue; undefined if no record is one. */
  leaf?: string;
  /** The record the path continues, which was not found in what was read. */
  wanted?: string;
  /** What stands for all before it was met: nothing further belongs to the path. */
  cut?: true;
}

/**
 * What the program replays, the last record first: from the last record of the file along `parentUuid`, up to a history
 * that stands for all before it. A parent that is missing ends the path, for the program too. Several records of one id
 * are parts of one; the first of them says what it follows.
 */
export function* livePath(
  fd: number,
  part: { readonly from: number; readonly end: number; readonly told?: PathEnd },
): Generator<LiveRecord> {
  const path: PathEnd = part.told ?? {};
  let current: string | undefined;
  if (part.from >= part.end) return;
  for (const line of linesBackward(fd, { end: part.end })) {
    if (line.offset < part.from) return;
    if (line.tooLong) continue;
    const mayHold = (id: string | undefined): boolean =>
      id !== undefined && holdsText(line.bytes, id);
    if (path.leaf !== undefined && !mayHold(path.wanted) && !mayHold(current)) continue;
    const records = readLine(line, 0, acceptsRecord)?.records ?? [];
    for (let at = records.length - 1; at >= 0; at -= 1) {
      const record = records[at]!;
      if (!isOfChain(record)) continue;
      const id = record["uuid"] as string;
      if (path.leaf !== undefined && id !== path.wanted && id !== current) continue;
      path.leaf ??= id;
      current = id;
      const parent = asString(record["parentUuid"]);
      if (parent === undefined || parent === id) delete path.wanted;
      else path.wanted = parent;
      yield { offset: line.offset, at, record };
      if (historyIn(record) === undefined) continue;
      path.cut = true;
      delete path.wanted;
      return;
    }
  }
}

/** The places of a path, in the order of the file, to be asked in that order. */
export class LivePlaces {
  readonly #offsets: number[] = [];
  readonly #ats: number[] = [];

  constructor(records: Iterable<Pick<LiveRecord, "offset" | "at">>) {
    for (const { offset, at } of records) {
      this.#offsets.push(offset);
      this.#ats.push(at);
    }
  }

  /** Whether a record is on the path; what lies before it is forgotten. */
  has(offset: number, at: number): boolean {
    for (;;) {
      const next = this.#offsets.at(-1);
      if (next === undefined || next > offset) return false;
      const isBefore = next < offset || this.#ats.at(-1)! < at;
      if (!isBefore) return this.#ats.at(-1) === at;
      this.#offsets.pop();
      this.#ats.pop();
    }
  }
}
