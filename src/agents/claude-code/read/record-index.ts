import { hashText } from "../../../base/hash.ts";
import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import type { RecordPlace } from "../../../jsonl/salvage.ts";
import type { Damage } from "../../../model/damage.ts";
import type { TitleType } from "../record-types.ts";
import { copied, IdTable } from "./id-table.ts";
import { flag, flagsOf } from "./record-flags.ts";

/** No parent, because it is null or absent. */
export const rootParent = -1;
/** A parent that is named but not there. */
export const unknownParent = -2;

/** Where a line lies. */
export interface LinePlace {
  readonly offset: number;
  readonly length: number;
  readonly line: number;
}

/** One record of a line that had to be taken apart. */
export interface SalvagedPart extends RecordPlace {
  readonly part: number;
}

/** What threads the records of one file: some thirty bytes a record, no objects. */
export class RecordIndex {
  size = 0;
  offsets: Float64Array;
  lengths: Uint32Array;
  lines: Uint32Array;
  parents: Int32Array;
  /** The entry of the record's message in `messages`, or -1. */
  groups: Int32Array;
  flags: Uint16Array;
  /** A number for folder and branch together; zero where the record names none. */
  wheres: Uint16Array;
  /** Records by uuid; the newest of equal ones. */
  uuids: IdTable;
  /** Messages by id; the value is the message's last record. */
  readonly messages: IdTable;
  readonly #places = new IdTable();
  /** The tool call a result names where that is not its parent. */
  readonly sources = new Map<number, number>();
  /** Of records with equal uuids, which later one took the earlier one's place. */
  readonly replaced = new Map<number, number>();
  /** Which record of a salvaged line this is, and where in the line it stands. */
  readonly parts = new Map<number, SalvagedPart>();
  readonly titles = new Map<TitleType, LinePlace>();
  readonly unknown = new Map<string, number>();
  readonly #damage: Damage[] = [];
  readonly #told = new Set<string>();
  #damageUntold = 0;
  /** The leaf the newest `last-prompt` names, and how many records came before it. */
  named: { readonly leaf: number; readonly after: number } | undefined;
  /** Whole lines end here; what follows is a write in progress or a torn tail. */
  endOffset = 0;
  endLine = 0;
  /** Whether the last line was a whole record without its newline. */
  openEnd = false;

  #waiting = new Int32Array(64);
  #waitingFor = new Float64Array(64);
  #waitingSize = 0;

  /** An index with room for about this many records; it grows where there are more. */
  constructor(capacity = 256) {
    this.offsets = new Float64Array(capacity);
    this.lengths = new Uint32Array(capacity);
    this.lines = new Uint32Array(capacity);
    this.parents = new Int32Array(capacity);
    this.groups = new Int32Array(capacity);
    this.flags = new Uint16Array(capacity);
    this.wheres = new Uint16Array(capacity);
    this.uuids = new IdTable(capacity);
    this.messages = new IdTable(Math.ceil(capacity / 4));
  }

  /** Adds a record; `part` says which of a damaged line's it is. */
  add(record: JsonObject, place: LinePlace, part?: SalvagedPart): void {
    const at = this.size;
    this.size += 1;
    if (at === this.offsets.length) this.#grow();
    this.offsets[at] = place.offset;
    this.lengths[at] = place.length;
    this.lines[at] = place.line;
    this.flags[at] = flagsOf(record) | (part === undefined ? 0 : flag.salvaged);
    if (part !== undefined) this.parts.set(at, part);
    this.wheres[at] = this.#whereOf(record);
    this.groups[at] = this.#groupOf(record, at);
    this.#place(record, at, place);
  }

  #groupOf({ type, message }: JsonObject, at: number): number {
    const id = type === "assistant" && isObject(message) ? idOf(message["id"]) : undefined;
    if (id === undefined) return -1;
    const group = this.messages.entry(id, at);
    this.messages.setValue(group, at);
    return group;
  }

  #place(record: JsonObject, at: number, place: LinePlace): void {
    this.parents[at] = rootParent;
    const parent = idOf(record["parentUuid"]);
    if (parent !== undefined) {
      const entry = this.uuids.find(parent);
      if (entry >= 0) this.#link(at, this.uuids.valueAt(entry));
      else this.#wait(at, parent);
    }
    const source = this.has(at, flag.results) ? idOf(record["sourceToolAssistantUUID"]) : undefined;
    if (source !== undefined && source !== parent) this.sources.set(at, source);
    const uuid = idOf(record["uuid"]);
    if (uuid === undefined) return;
    const entry = this.uuids.entry(uuid, at);
    const earlier = this.uuids.valueAt(entry);
    if (earlier === at) return;
    this.uuids.setValue(entry, at);
    this.replaced.set(earlier, at);
    this.tell({
      kind: "duplicate_id",
      offset: place.offset,
      length: place.length,
      recovered: 1,
      detail: `the same uuid as line ${this.lines[earlier]}`,
    });
  }

  #whereOf(record: JsonObject): number {
    const cwd = asString(record["cwd"]);
    if (cwd === undefined) return 0;
    const where = hashText(`${cwd}\n${asString(record["gitBranch"]) ?? ""}`);
    return Math.min(this.#places.entry(where, 0) + 1, 0xffff);
  }

  /** Whether a record's folder or branch is another than its parent's; undefined where nobody can tell. */
  moved(record: number): boolean | undefined {
    const where = this.wheres[record]!;
    if (where === 0) return false;
    const parent = this.parentOf(record);
    if (parent >= 0 && this.wheres[parent] !== 0) return this.wheres[parent] !== where;
    // A new root, as a compaction makes one, goes on where the file was.
    for (let before = record - 1; before >= 0; before -= 1) {
      if (this.wheres[before] !== 0) return this.wheres[before] !== where;
    }
    return undefined;
  }

  /** Remembers a damage; beyond the limit only that there was one more. */
  tell(damage: Damage): void {
    // A record is read as often as it is needed, but damaged only once.
    const key = `${damage.kind} ${damage.offset} ${damage.detail ?? ""}`;
    if (this.#told.has(key)) return;
    if (this.#told.size < limits.toldDamages) {
      this.#told.add(key);
      this.#damage.push(damage);
    } else this.#damageUntold += 1;
  }

  /** The damages told since the last call. */
  takeDamage(): readonly Damage[] {
    const taken = this.#damage.splice(0);
    if (this.#damageUntold > 0) {
      const detail = `and ${this.#damageUntold} more`;
      taken.push({ kind: "bad_record", offset: this.endOffset, recovered: 0, detail });
      this.#damageUntold = 0;
    }
    return taken;
  }

  /** Looks again for parents that came later in the file than their children. */
  resolve(): void {
    let kept = 0;
    for (let index = 0; index < this.#waitingSize; index += 1) {
      const record = this.#waiting[index]!;
      const id = this.#waitingFor[index]!;
      const entry = this.uuids.find(id);
      if (entry >= 0) this.#link(record, this.uuids.valueAt(entry));
      else {
        this.parents[record] = unknownParent;
        this.#waiting[kept] = record;
        this.#waitingFor[kept] = id;
        kept += 1;
      }
    }
    this.#waitingSize = kept;
  }

  /** Records whose parent is named but not in the file, in file order. */
  get orphans(): readonly number[] {
    return Array.from(this.#waiting.subarray(0, this.#waitingSize));
  }

  /** The id of a parent that is not in the index. */
  missingParentOf(record: number): number | undefined {
    // Records wait in the order of the file.
    let low = 0;
    let high = this.#waitingSize;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#waiting[middle]! < record) low = middle + 1;
      else high = middle;
    }
    const isThere = low < this.#waitingSize && this.#waiting[low] === record;
    return isThere ? this.#waitingFor[low] : undefined;
  }

  /** Gives up finding records by uuid, once all are placed: a third of the index's memory. */
  forgetUuids(): void {
    this.uuids = new IdTable();
  }

  has(record: number, bits: number): boolean {
    return (this.flags[record]! & bits) !== 0;
  }

  /** The record with this uuid, or -1. */
  find(id: number): number {
    const entry = this.uuids.find(id);
    return entry < 0 ? -1 : this.uuids.valueAt(entry);
  }

  /** The record the program finds as the parent: the newest of those with equal uuids. */
  parentOf(record: number): number {
    return this.#newest(this.parents[record]!);
  }

  /** The record that took another's place, however often; every one on the way then leads straight to it. */
  #newest(record: number): number {
    let newest = record;
    for (let next = this.replaced.get(newest); next !== undefined; next = this.replaced.get(newest))
      newest = next;
    for (let at = record; at !== newest; ) {
      const next = this.replaced.get(at)!;
      this.replaced.set(at, newest);
      at = next;
    }
    return newest;
  }

  /** The tool call a result belongs to by its ids, or -1. */
  callOf(record: number): number {
    const source = this.sources.get(record);
    if (source !== undefined) {
      const found = this.find(source);
      if (found >= 0) return found;
    }
    return this.parentOf(record);
  }

  placeOf(record: number): LinePlace {
    return {
      offset: this.offsets[record]!,
      length: this.lengths[record]!,
      line: this.lines[record]!,
    };
  }

  #link(record: number, parent: number): void {
    this.parents[record] = parent;
    this.flags[parent] = this.flags[parent]! | flag.hasChild;
  }

  #wait(record: number, id: number): void {
    this.parents[record] = unknownParent;
    if (this.#waitingSize === this.#waiting.length) {
      const length = this.#waiting.length * 2;
      this.#waiting = copied(new Int32Array(length), this.#waiting);
      this.#waitingFor = copied(new Float64Array(length), this.#waitingFor);
    }
    this.#waiting[this.#waitingSize] = record;
    this.#waitingFor[this.#waitingSize] = id;
    this.#waitingSize += 1;
  }

  #grow(): void {
    const length = Math.ceil(this.size * 1.5);
    this.offsets = copied(new Float64Array(length), this.offsets);
    this.lengths = copied(new Uint32Array(length), this.lengths);
    this.lines = copied(new Uint32Array(length), this.lines);
    this.parents = copied(new Int32Array(length), this.parents);
    this.groups = copied(new Int32Array(length), this.groups);
    this.flags = copied(new Uint16Array(length), this.flags);
    this.wheres = copied(new Uint16Array(length), this.wheres);
  }
}

/** What the index keeps of an id instead of the string; undefined if there is none. */
export function idOf(id: unknown): number | undefined {
  return typeof id === "string" ? hashText(id) : undefined;
}
