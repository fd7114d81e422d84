import type { RecordLine } from "../../jsonl/records.ts";
import type { Gathered } from "./batch.ts";
import { bodiesOf } from "./bodies.ts";
import type { Place } from "./cursor.ts";
import { type EntryIndex, flag } from "./entry-index.ts";
import { eventNumber, eventsOf } from "./events.ts";
import { isHeader, unknownName } from "./record.ts";

/** What the second pass needs to know besides the tree. */
export interface LineEventsOptions {
  /** How many entries of the index lie in the part that is read. */
  readonly count: number;
  /** Whether pi takes the file for a session at all. */
  readonly sound: boolean;
  readonly allBranches: boolean;
  readonly gathered: Gathered;
}

/** Second pass: turns lines into events, with what the first pass found out about their entries. */
export class LineEvents {
  /** The last entry that was read: new entries mostly follow it. */
  last: Place["last"];
  readonly #index: EntryIndex;
  readonly #options: LineEventsOptions;
  #next = 0;
  #headerSeen = false;

  constructor(index: EntryIndex, options: LineEventsOptions) {
    this.#index = index;
    this.#options = options;
  }

  /** Whether a line must be parsed: for an event, for damage, or because the first pass found no entry. */
  needs(line: number): boolean {
    if (this.#options.allBranches || !this.#isEntryOf(line, this.#next)) return true;
    const reasons = flag.live | flag.followed | flag.damaged | flag.duplicate | flag.cycle;
    for (let at = this.#next; this.#isEntryOf(line, at); at += 1) {
      if (this.#index.has(at, reasons) || this.#index.isOrphan(at)) return true;
    }
    return false;
  }

  /** Passes over a line's entries. */
  pass(line: number): void {
    while (this.#isEntryOf(line, this.#next)) this.#next += 1;
  }

  /** Hands a line's events and damage to the batch. */
  write(line: RecordLine): void {
    const { gathered, allBranches, sound } = this.#options;
    gathered.add({ damage: line.damage });
    let before = 0;
    for (const record of line.records) {
      const header = isHeader(record);
      const at = header || !this.#isEntryOf(line.line, this.#next) ? -1 : this.#next++;
      const parent = at < 0 ? -1 : this.#index.parentOf(at);
      const kept = at < 0 ? -1 : this.#index.keptOf(at);
      const said = bodiesOf(record, {
        message: typeof record["id"] === "string" ? record["id"] : String(line.line),
        keepFrom: kept < 0 ? undefined : this.#index.lineOf(kept),
      });
      const live = sound && (header ? !this.#headerSeen : this.#index.has(at, flag.live));
      this.#headerSeen ||= header;
      const events = eventsOf(record, said, {
        line: line.line,
        before,
        live,
        parent: parent < 0 ? undefined : this.#numberOf(parent),
      });
      before += events.length;
      if (said.unknown) gathered.addUnknown(unknownName(record));
      gathered.add({ events: allBranches ? events : events.filter((event) => event.live) });
      if (at >= 0) this.#close(at, line, before);
    }
  }

  #close(at: number, line: RecordLine, events: number): void {
    const index = this.#index;
    index.setLastEvent(at, events);
    this.last = { ...index.tipOf(at), lastEvent: events };
    const { gathered } = this.#options;
    const place = { offset: line.offset, length: line.length, recovered: 1 };
    if (index.has(at, flag.duplicate)) {
      gathered.add({
        damage: { kind: "duplicate_id", ...place, detail: "An entry before has the same id." },
      });
    }
    if (index.has(at, flag.cycle)) {
      gathered.add({
        damage: { kind: "cycle", ...place, detail: "Its parents lead back to itself." },
      });
    } else if (index.isOrphan(at)) {
      gathered.add({
        damage: {
          kind: "missing_parent",
          ...place,
          detail: "Its parent is not in the file: pi replays nothing before it.",
        },
      });
    }
  }

  #numberOf(at: number): string {
    return eventNumber(this.#index.lineOf(at), this.#index.lastEventOf(at));
  }

  #isEntryOf(line: number, at: number): boolean {
    return at < this.#options.count && this.#index.lineOf(at) === line;
  }
}
