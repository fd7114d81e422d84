import type { JsonObject } from "../../../base/json.ts";
import type { RecordLine } from "../../../jsonl/records.ts";
import { isHeader, isLinear, isSoundHeader, keptKeyOf, keyOf, linearKey } from "../record-types.ts";
import { editOf } from "./context-edit.ts";

/** A record's place in the tree, as pi sees it. */
export interface Entry {
  readonly key?: string | undefined;
  readonly parent?: string | undefined;
  readonly kept?: string | undefined;
  /** The entry that a context edit is about. */
  readonly target?: string | undefined;
  /** Whether pi can parse its line. */
  readonly visible: boolean;
}

/**
 * Gives every record of a file, in order, its place. Files of format 1 have no ids: there every entry
 * follows the one before and is found by its place among all records.
 */
export class EntryLinks {
  /** The first header, if there was one. */
  header: JsonObject | undefined;
  /** Where the first header's line begins. */
  headerOffset = 0;
  /** Whether pi takes the file for a session; undefined until something could be parsed. */
  sound: boolean | undefined;
  /** How many values pi has parsed so far. */
  count: number;
  #previous: string | undefined;

  constructor(options: { readonly count?: number; readonly previous?: string | undefined } = {}) {
    this.count = options.count ?? 0;
    this.#previous = options.previous;
  }

  get linear(): boolean {
    return isLinear(this.header);
  }

  /** The key of the entry before, needed to go on later in a linear file. */
  get previous(): string | undefined {
    return this.linear ? this.#previous : undefined;
  }

  /** The entries of a line; a header has none. */
  entriesOf(line: RecordLine): readonly (Entry | undefined)[] {
    const visible = isVisible(line);
    // pi parses a line that is not an object too, and counts it.
    if (line.damage?.kind === "bad_record") {
      this.sound ??= false;
      this.count += 1;
    }
    const had = this.header !== undefined;
    const entries = line.records.map((record) => this.#entryOf(record, visible));
    if (!had && this.header !== undefined) this.headerOffset = line.offset;
    return entries;
  }

  #entryOf(record: JsonObject, visible: boolean): Entry | undefined {
    if (visible) this.sound ??= isSoundHeader(record);
    const place = this.count;
    if (visible) this.count += 1;
    if (isHeader(record)) {
      this.header ??= record;
      return undefined;
    }
    const kept =
      record["type"] === "compaction" ? keptKeyOf(record, { linear: this.linear }) : undefined;
    if (!this.linear) {
      const target = editOf(record)?.target;
      return { key: keyOf(record["id"]), parent: keyOf(record["parentId"]), kept, target, visible };
    }
    const parent = this.#previous;
    if (!visible) return { parent, visible };
    this.#previous = linearKey(place);
    return { key: this.#previous, parent, kept, visible };
  }
}

/** Whether pi can parse a line: it replaces what is not UTF-8, and skips what is not JSON. */
export function isVisible(line: RecordLine): boolean {
  return line.damage === undefined || line.damage.kind === "bad_utf8";
}
