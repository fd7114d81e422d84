/** Two 32-bit hashes of a key: what the index keeps of it instead of the string. */
export type KeyHash = readonly [low: number, high: number];

/** An entry by its key and line: the leaf a reading ended with. */
export interface Tip {
  readonly key: KeyHash;
  readonly line: number;
}

/** What is noted of an entry besides its place. */
export const flag = {
  /** pi reads it: its line is whole. */
  visible: 1,
  /** Its id was taken before. */
  duplicate: 2,
  compaction: 4,
  live: 8,
  /** It names a parent. */
  hasParent: 16,
  /** Its parent leads back to itself; the link is cut. */
  cycle: 32,
  /** Its line is damaged. */
  damaged: 64,
  /** It lies before the part that is read. */
  outside: 128,
  /** It is not live, but something live follows it. */
  followed: 256,
} as const;

/** An entry to be noted. */
export interface IndexedEntry {
  readonly key?: KeyHash | undefined;
  readonly parent?: KeyHash | undefined;
  /** The first entry a compaction keeps. */
  readonly kept?: KeyHash | undefined;
  readonly line: number;
  readonly flags: number;
  /** The number of its last event within the line, where it is known. */
  readonly lastEvent?: number;
}

const noKey = -1;

/** The tree of a session in typed arrays: a million entries cost some forty megabytes (P5). */
export class EntryIndex {
  size = 0;
  #line = new Uint32Array(1024);
  #key = new Int32Array(1024);
  #parent = new Int32Array(1024);
  #lastEvent = new Uint32Array(1024);
  #flags = new Uint16Array(1024);
  readonly #kept = new Map<number, number>();

  #keys = 0;
  #low = new Uint32Array(1024);
  #high = new Uint32Array(1024);
  /** The entry a key stands for, plus one; zero while only others name it. */
  #entry = new Int32Array(1024);
  /** Key numbers plus one; zero is free. At most half full. */
  #slots = new Int32Array(4096);

  add(entry: IndexedEntry): number {
    const at = this.size;
    this.size += 1;
    if (at === this.#line.length) this.#growEntries();
    this.#line[at] = entry.line;
    this.#lastEvent[at] = entry.lastEvent ?? 0;
    this.#key[at] = entry.key === undefined ? noKey : this.#intern(entry.key);
    this.#parent[at] = entry.parent === undefined ? noKey : this.#intern(entry.parent);
    this.#flags[at] = entry.flags | (entry.parent === undefined ? 0 : flag.hasParent);
    if (entry.kept !== undefined) this.#kept.set(at, this.#intern(entry.kept));
    if (entry.key !== undefined) this.#claim(at, this.#key[at]!);
    return at;
  }

  /**
   * The last whole entry of an id counts, as in pi; one from a damaged line only if there is no other,
   * one from before the part that is read only if the part has none.
   */
  #claim(at: number, key: number): void {
    const holder = this.#entry[key]! - 1;
    if (holder >= 0) {
      const outside = this.has(at, flag.outside);
      if (!outside) this.mark(at, flag.duplicate);
      if (outside && !this.has(holder, flag.outside)) return;
      if (this.has(holder, flag.visible) && !this.has(at, flag.visible)) return;
    }
    this.#entry[key] = at + 1;
  }

  lineOf(at: number): number {
    return this.#line[at] ?? 0;
  }

  lastEventOf(at: number): number {
    return this.#lastEvent[at]!;
  }

  setLastEvent(at: number, event: number): void {
    this.#lastEvent[at] = event;
  }

  has(at: number, bits: number): boolean {
    return at >= 0 && (this.#flags[at]! & bits) !== 0;
  }

  mark(at: number, bits: number): void {
    this.#flags[at] = this.#flags[at]! | bits;
  }

  /** The entry by key and line; one without a key is never found again, so that reading begins anew. */
  tipOf(at: number): Tip {
    const key = this.#key[at]!;
    const hash: KeyHash = key === noKey ? [0, 0] : [this.#low[key]!, this.#high[key]!];
    return { key: hash, line: this.#line[at]! };
  }

  /** The entry that another follows, or -1: at a root, where it is missing, or where a cycle was cut. */
  parentOf(at: number): number {
    const key = this.#parent[at]!;
    return key === noKey || this.has(at, flag.cycle) ? -1 : this.#entry[key]! - 1;
  }

  isOrphan(at: number): boolean {
    const key = this.#parent[at]!;
    return key !== noKey && this.#entry[key] === 0;
  }

  /** The first entry a compaction keeps, or -1; it must lie before the compaction and be whole. */
  keptOf(at: number): number {
    const key = this.#kept.get(at);
    const kept = key === undefined ? -1 : this.#entry[key]! - 1;
    if (!this.has(kept, flag.visible)) return -1;
    return kept < at || this.has(kept, flag.outside) ? kept : -1;
  }

  isKeptUnknown(at: number): boolean {
    const key = this.#kept.get(at);
    return key !== undefined && this.#entry[key] === 0;
  }

  /** Whether somebody names this key and no entry has it. */
  isWanted(hash: KeyHash): boolean {
    const key = this.#slots[this.#slotOf(hash)]! - 1;
    return key >= 0 && this.#entry[key] === 0;
  }

  find(hash: KeyHash): number {
    const key = this.#slots[this.#slotOf(hash)]! - 1;
    return key < 0 ? -1 : this.#entry[key]! - 1;
  }

  /** The entry with this key in this line, or -1: another entry may have taken the key since. */
  findAt(place: Tip): number {
    const at = this.find(place.key);
    return at >= 0 && this.#line[at] === place.line ? at : -1;
  }

  #intern(hash: KeyHash): number {
    const slot = this.#slotOf(hash);
    const found = this.#slots[slot]! - 1;
    if (found >= 0) return found;
    const key = this.#keys;
    this.#keys += 1;
    if (key === this.#low.length) this.#growKeys();
    this.#low[key] = hash[0];
    this.#high[key] = hash[1];
    this.#slots[slot] = key + 1;
    if (this.#keys * 2 > this.#slots.length) this.#rehash();
    return key;
  }

  #slotOf(hash: KeyHash): number {
    const mask = this.#slots.length - 1;
    let slot = (hash[0] ^ Math.imul(hash[1], 0x9e3779b1)) & mask;
    for (;;) {
      const key = this.#slots[slot]! - 1;
      if (key < 0) return slot;
      if (this.#low[key] === hash[0] && this.#high[key] === hash[1]) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let key = 0; key < this.#keys; key += 1) {
      this.#slots[this.#slotOf([this.#low[key]!, this.#high[key]!])] = key + 1;
    }
  }

  #growEntries(): void {
    const length = this.#line.length * 2;
    this.#line = copyInto(new Uint32Array(length), this.#line);
    this.#key = copyInto(new Int32Array(length), this.#key);
    this.#parent = copyInto(new Int32Array(length), this.#parent);
    this.#lastEvent = copyInto(new Uint32Array(length), this.#lastEvent);
    this.#flags = copyInto(new Uint16Array(length), this.#flags);
  }

  #growKeys(): void {
    const length = this.#low.length * 2;
    this.#low = copyInto(new Uint32Array(length), this.#low);
    this.#high = copyInto(new Uint32Array(length), this.#high);
    this.#entry = copyInto(new Int32Array(length), this.#entry);
  }
}

function copyInto<T extends Uint32Array | Int32Array | Uint16Array>(larger: T, smaller: T): T {
  larger.set(smaller);
  return larger;
}

/** The hash of a key. */
export function hashKey(key: string): KeyHash {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let index = 0; index < key.length; index += 1) {
    const code = key.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x5bd1e995);
    high ^= high >>> 15;
  }
  return [(low ^ (low >>> 16)) >>> 0, high >>> 0];
}
