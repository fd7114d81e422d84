import { KeySlots } from "../../../base/key-slots.ts";
import {
  type Column,
  doubleColumn,
  signedColumn,
  smallColumn,
  wideColumn,
} from "../../../base/number-column.ts";
import { isCounted, lineNumber } from "../../../jsonl/line-number.ts";

/** The `hashText` of an entry's id: what the index keeps of it instead of the string. Zero where it has none. */
export type KeyHash = number;

/** Where an entry's line lies. */
export interface EntryPlace {
  readonly line: number;
  readonly offset: number;
}

/** An entry by its key and place: the leaf a reading ended with. */
export interface Tip extends EntryPlace {
  readonly key: KeyHash;
}

/** What is noted of an entry besides its place. */
export const flag = {
  /** pi reads it: its line is whole. */
  visible: 1,
  /** Its id was taken before. */
  duplicate: 2,
  compaction: 4,
  live: 8,
  /** Another entry with the same id came later and counts instead. */
  replaced: 16,
  /** Its parent leads back to itself; the link is cut. */
  cycle: 32,
  /** Its line is damaged. */
  damaged: 64,
  /** It lies before the part that is read. */
  outside: 128,
  /** It is not live, but something live follows it. */
  followed: 256,
  /** It holds pi's own instructions. */
  system: 512,
  /** It edits what an earlier entry says. */
  edit: 1024,
} as const;

/** An entry to be noted. */
export interface IndexedEntry extends EntryPlace {
  readonly key?: KeyHash | undefined;
  readonly parent?: KeyHash | undefined;
  /** The first entry a compaction keeps. */
  readonly kept?: KeyHash | undefined;
  /** The entry that a context edit is about. */
  readonly target?: KeyHash | undefined;
  readonly flags: number;
  /** The number of its last event within the line, where it is known. */
  readonly lastEvent?: number;
}

/** A reference to an entry: its number, or `none`, or below that a key nobody had when it was named. */
const none = -1;

/** The tree of a session in typed arrays: a million entries cost under thirty megabytes (P5). */
export class EntryIndex {
  size = 0;
  readonly #offset: Column = doubleColumn();
  /** Only of lines that are numbered by counting. */
  readonly #line: Column = wideColumn();
  readonly #key: Column = doubleColumn();
  readonly #parent: Column = signedColumn();
  readonly #lastEvent: Column = smallColumn();
  readonly #flags: Column = smallColumn();
  readonly #kept = new Map<number, number>();
  readonly #target = new Map<number, number>();

  /** Keys that were named before, or without, an entry that has them. */
  #promises = 0;
  readonly #promiseKey: Column = doubleColumn();
  /** The entry that came to have the key, plus one. */
  readonly #promiseEntry: Column = wideColumn();

  /** By key: an entry plus one, or a promise as `-1 - promise`. */
  readonly #byKey = new KeySlots((held) =>
    held > 0 ? this.#key.get(held - 1) : this.#promiseKey.get(-1 - held),
  );

  add(entry: IndexedEntry): number {
    const at = this.size;
    this.size += 1;
    this.#offset.set(at, entry.offset);
    if (isCounted(entry.offset)) this.#line.set(at, entry.line);
    this.setLastEvent(at, entry.lastEvent ?? 0);
    this.#flags.set(at, entry.flags);
    // The parent first: an entry that names itself names a key nobody has yet.
    this.#parent.set(at, entry.parent === undefined ? none : this.#refer(entry.parent));
    if (entry.kept !== undefined) this.#kept.set(at, this.#refer(entry.kept));
    if (entry.target !== undefined) this.#target.set(at, this.#refer(entry.target));
    if (entry.key !== undefined) this.#claim(at, entry.key);
    return at;
  }

  /**
   * The last whole entry of an id counts, as in pi; one from a damaged line only if there is no other,
   * one from before the part that is read only if the part has none.
   */
  #claim(at: number, key: KeyHash): void {
    this.#key.set(at, key);
    const held = this.#byKey.get(key);
    if (held > 0) {
      const holder = held - 1;
      const outside = this.has(at, flag.outside);
      if (!outside) this.mark(at, flag.duplicate);
      if (outside && !this.has(holder, flag.outside)) return;
      if (this.has(holder, flag.visible) && !this.has(at, flag.visible)) return;
      this.mark(holder, flag.replaced);
    } else if (held < 0) this.#promiseEntry.set(-1 - held, at + 1);
    this.#byKey.set(key, at + 1);
  }

  /** Where the entry's line begins: entries of one line share it. */
  offsetOf(at: number): number {
    return this.#offset.get(at);
  }

  /** The number of the entry's line; undefined where lines are not counted. */
  lineOf(at: number): number | undefined {
    return this.#line.get(at) || undefined;
  }

  /** The number the entry's first event has. */
  numberOf(at: number): string {
    return lineNumber(this.#placeOf(at));
  }

  #placeOf(at: number): EntryPlace {
    return { line: this.#line.get(at), offset: this.#offset.get(at) };
  }

  lastEventOf(at: number): number {
    return this.#lastEvent.get(at);
  }

  setLastEvent(at: number, event: number): void {
    this.#lastEvent.set(at, Math.min(event, 0xffff));
  }

  has(at: number, bits: number): boolean {
    return at >= 0 && (this.#flags.get(at) & bits) !== 0;
  }

  mark(at: number, bits: number): void {
    this.#flags.set(at, this.#flags.get(at) | bits);
  }

  /** The entry by key and place; one without a key is never found again, so that reading begins anew. */
  tipOf(at: number): Tip {
    return { key: this.#key.get(at), ...this.#placeOf(at) };
  }

  /** The entry that another follows, or -1: at a root, where it is missing, or where a cycle was cut. */
  parentOf(at: number): number {
    return this.has(at, flag.cycle) ? none : this.#resolve(this.#parent.get(at));
  }

  /** Whether an entry names a parent that nobody is. */
  isOrphan(at: number): boolean {
    const parent = this.#parent.get(at);
    return parent < none && this.#resolve(parent) === none;
  }

  /** The first entry a compaction keeps, or -1; it must lie before the compaction and be whole. */
  keptOf(at: number): number {
    const kept = this.#resolve(this.#kept.get(at) ?? none);
    if (!this.has(kept, flag.visible)) return none;
    return kept < at || this.has(kept, flag.outside) ? kept : none;
  }

  /** Whether a compaction names an entry to keep that nobody is. */
  isKeptUnknown(at: number): boolean {
    const kept = this.#kept.get(at) ?? none;
    return kept < none && this.#resolve(kept) === none;
  }

  /** The entry that a context edit is about, or -1. */
  targetOf(at: number): number {
    return this.#resolve(this.#target.get(at) ?? none);
  }

  /** Whether somebody names this key and no entry has it. */
  isWanted(key: KeyHash): boolean {
    return this.#byKey.get(key) < 0;
  }

  /** The entry that counts for a key, or -1. */
  find(key: KeyHash): number {
    return Math.max(none, this.#byKey.get(key) - 1);
  }

  /** The entry with this key at this place, or -1: another entry may have taken the key since. */
  findAt(place: Tip): number {
    const at = this.find(place.key);
    return at >= 0 && this.#offset.get(at) === place.offset ? at : none;
  }

  /** A reference to the entry of a key, or to the key itself until it has one. */
  #refer(key: KeyHash): number {
    const held = this.#byKey.get(key);
    // An entry and a promise alike: references count from one below what slots hold.
    if (held !== 0) return held - 1;
    const promise = this.#promises;
    this.#promises += 1;
    this.#promiseKey.set(promise, key);
    this.#byKey.set(key, -1 - promise);
    return -2 - promise;
  }

  #resolve(reference: number): number {
    const entry = reference < none ? this.#promiseEntry.get(-2 - reference) - 1 : reference;
    return this.has(entry, flag.replaced) ? this.find(this.#key.get(entry)) : entry;
  }
}
