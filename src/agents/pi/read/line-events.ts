import { lineNumber } from "../../../jsonl/line-number.ts";
import type { RecordLine } from "../../../jsonl/records.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { Batches } from "../../batches.ts";
import { isHeader, unknownName } from "../record-types.ts";
import { bodiesOf } from "./bodies.ts";
import { type ContextEdit, editedBodies } from "./context-edit.ts";
import type { Place } from "./cursor.ts";
import { type EntryIndex, flag } from "./entry-index.ts";
import { eventsOf } from "./events.ts";

const details = {
  duplicate_id: "An entry before has the same id.",
  cycle: "Its parents lead back to itself.",
  missing_parent: "Its parent is not in the file: pi replays nothing before it.",
} as const;

/** What the second pass needs to know besides the tree. */
export interface LineEventsOptions {
  /** How many entries of the index lie in the part that is read. */
  readonly count: number;
  /** Whether pi takes the file for a session at all. */
  readonly sound: boolean;
  /** Whether the header lies before the part that is read; later ones mean nothing to pi. */
  readonly headerSeen: boolean;
  readonly allBranches: boolean;
  /** The edit that counts for an entry, if one does. */
  readonly editOf: (at: number) => ContextEdit | undefined;
  readonly batches: Batches;
}

/** Second pass: turns lines into events, with what the first pass found out about their entries. */
export class LineEvents {
  #last = -1;
  readonly #index: EntryIndex;
  readonly #options: LineEventsOptions;
  #next = 0;
  #headerSeen: boolean;

  constructor(index: EntryIndex, options: LineEventsOptions) {
    this.#index = index;
    this.#options = options;
    this.#headerSeen = options.headerSeen;
  }

  /** The last entry that was read: new entries mostly follow it. */
  get last(): Place["last"] {
    if (this.#last < 0) return undefined;
    return { ...this.#index.tipOf(this.#last), lastEvent: this.#index.lastEventOf(this.#last) };
  }

  /** Whether a line must be parsed again: for an event, for damage, or because the first pass found no entry. */
  needs(offset: number): boolean {
    if (this.#options.allBranches || !this.#isEntryOf(offset, this.#next)) return true;
    const reasons = flag.live | flag.followed | flag.damaged | flag.duplicate | flag.cycle;
    for (let at = this.#next; this.#isEntryOf(offset, at); at += 1) {
      if (this.#index.has(at, reasons) || this.#index.isOrphan(at)) return true;
    }
    return false;
  }

  /** Passes over a line's entries. */
  pass(offset: number): void {
    while (this.#isEntryOf(offset, this.#next)) this.#next += 1;
  }

  /** Hands a line's events and damage to the batch. */
  write(line: RecordLine): void {
    const { batches, allBranches, sound } = this.#options;
    if (line.damage !== undefined) batches.damage(line.damage);
    const number = lineNumber(line);
    let before = 0;
    for (const record of line.records) {
      const header = isHeader(record);
      const at = header || !this.#isEntryOf(line.offset, this.#next) ? -1 : this.#next++;
      const parent = at < 0 ? -1 : this.#index.parentOf(at);
      const kept = at < 0 ? -1 : this.#index.keptOf(at);
      const message = typeof record["id"] === "string" ? record["id"] : number;
      const keepFrom = kept < 0 ? undefined : this.#index.lineOf(kept);
      const edit = at < 0 ? undefined : this.#options.editOf(at);
      const first = bodiesOf(record, { message, keepFrom });
      const said = edit === undefined ? first : editedBodies(record, first, { edit, message });
      const live = sound && (header ? !this.#headerSeen : this.#index.has(at, flag.live));
      this.#headerSeen ||= header;
      const events = eventsOf(record, said, {
        line: number,
        before,
        live,
        parent: parent < 0 ? undefined : this.#numberOf(parent),
      });
      before += events.length;
      if (said.unknown) batches.unknown.add(unknownName(record));
      for (const event of events) if (allBranches || event.live) batches.event(event);
      if (at >= 0) this.#close(at, line, before);
    }
  }

  #close(at: number, line: RecordLine, events: number): void {
    const index = this.#index;
    index.setLastEvent(at, events);
    this.#last = at;
    if (index.has(at, flag.duplicate)) this.#tell("duplicate_id", line);
    if (index.has(at, flag.cycle)) this.#tell("cycle", line);
    else if (index.isOrphan(at)) this.#tell("missing_parent", line);
  }

  #tell(kind: keyof typeof details, line: RecordLine): void {
    const { offset, length } = line;
    const detail = details[kind];
    this.#options.batches.damage({ kind, offset, length, recovered: 1, detail });
  }

  #numberOf(at: number): string {
    return eventNumber(this.#index.numberOf(at), this.#index.lastEventOf(at));
  }

  #isEntryOf(offset: number, at: number): boolean {
    return at < this.#options.count && this.#index.offsetOf(at) === offset;
  }
}
