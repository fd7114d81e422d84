import { hashText } from "../../base/hash.ts";

/** What an entry of the ledger stands for. */
export const entryKind = { message: 0, header: 1, meta: 2, rewind: 3, unknown: 4 } as const;

/** Where a record lies, and which of its line's events is its first. */
export interface Place {
  readonly offset: number;
  readonly length: number;
  readonly line: number;
  /** Events of the line that come before this record's. */
  readonly firstEvent: number;
  /** It is an element of a rewritten history, not a line of its own. */
  readonly rewritten: boolean;
}

const rewrittenFlag = 0x80;
/** On the first version of a message that is not in the conversation, once the ledger is sealed. */
const deadFlag = 0x20;
const kindMask = 0x1f;
const none = 0xffff_ffff;
const blockBits = 12;
const blockSize = 1 << blockBits;

/** Blocks instead of one array: growing never holds the old and the new at once. */
interface LedgerBlock {
  /** What the offsets count from; they are short unless one block spans more than 4 GiB. */
  readonly base: number;
  offset: Uint32Array | Float64Array;
  hash: Float64Array | undefined;
  readonly length: Uint32Array;
  readonly line: Uint32Array;
  /** Made when an entry first needs it: most lines hold one record. */
  firstEvent: Uint32Array | undefined;
  readonly previous: Uint32Array;
  readonly position: Uint32Array;
  readonly flags: Uint8Array;
}

/**
 * The program's replay without its content: where each version of each message lies, and which are in the
 * conversation now. Some thirty bytes a record, so that gigabytes stay in bounds (P5).
 */
export class Ledger {
  #blocks: LedgerBlock[] = [];
  #size = 0;
  #live = new Uint32Array(256);
  #liveSize = 0;
  /** Newest entry by id, plus one; zero is free. At most three quarters full. */
  #slots = new Uint32Array(1024);
  #ids = 0;

  get size(): number {
    return this.#size;
  }

  get liveSize(): number {
    return this.#liveSize;
  }

  liveAt(position: number): number {
    return this.#live[position]!;
  }

  /** A message as the program records it: at the end, or in place of the live one with its id. */
  message(id: string, place: Place): void {
    const hash = hashText(id);
    const older = this.#newest(hash);
    const entry = this.#add(place, entryKind.message, hash);
    if (older !== none) this.#block(entry).previous[entry & (blockSize - 1)] = older;
    const position = older !== none && this.isLive(older) ? this.#position(older) : this.#liveSize;
    this.#setNewest(hash, entry);
    this.#setLive(position, entry);
  }

  /** A message salvaged from a rewrite the program cannot read: kept unless its id is known. */
  recovered(id: string, place: Place): boolean {
    const hash = hashText(id);
    if (this.#newest(hash) !== none) return false;
    this.#setNewest(hash, this.#add(place, entryKind.message, hash));
    return true;
  }

  /** A record that is no message. */
  other(kind: number, place: Place): void {
    this.#add(place, kind, 0);
  }

  /** Forgets the conversation; what follows is the new one. */
  clear(): void {
    this.#liveSize = 0;
  }

  /** Deletes a message and all after it; an id that is not live clears everything. */
  rewind(id: string): void {
    const entry = this.#newest(hashText(id));
    this.#liveSize = entry !== none && this.isLive(entry) ? this.#position(entry) : 0;
  }

  isLive(entry: number): boolean {
    const position = this.#position(entry);
    return position < this.#liveSize && this.#live[position] === entry;
  }

  kindAt(entry: number): number {
    return this.#block(entry).flags[entry & (blockSize - 1)]! & kindMask;
  }

  placeAt(entry: number): Place {
    const block = this.#block(entry);
    const at = entry & (blockSize - 1);
    return {
      offset: block.base + block.offset[at]!,
      length: block.length[at]!,
      line: block.line[at]!,
      firstEvent: block.firstEvent?.[at] ?? 0,
      rewritten: (block.flags[at]! & rewrittenFlag) !== 0,
    };
  }

  lineAt(entry: number): number {
    return this.#block(entry).line[entry & (blockSize - 1)]!;
  }

  /**
   * Ends the replay: notes which messages left the conversation and gives the memory back that only further
   * records would need. Nothing may be added after it.
   */
  seal(): void {
    for (const held of this.#slots) {
      if (held === 0 || this.isLive(held - 1)) continue;
      let first = held - 1;
      for (let at = first; at !== none; at = this.#previous(at)) first = at;
      const block = this.#block(first);
      block.position[first & (blockSize - 1)] = held - 1;
      block.flags[first & (blockSize - 1)]! |= deadFlag;
    }
    this.#slots = new Uint32Array(0);
    for (const block of this.#blocks) block.hash = undefined;
  }

  /** In a sealed ledger: the newest version of a message that left the conversation, asked for its first. */
  deadNewest(first: number): number | undefined {
    const block = this.#block(first);
    const at = first & (blockSize - 1);
    return (block.flags[at]! & deadFlag) === 0 ? undefined : block.position[at];
  }

  /** All versions of a message up to this one, oldest first. */
  versions(entry: number): number[] {
    const chain: number[] = [];
    for (let at = entry; at !== none; at = this.#previous(at)) chain.push(at);
    return chain.reverse();
  }

  #block(entry: number): LedgerBlock {
    return this.#blocks[entry >>> blockBits]!;
  }

  #previous(entry: number): number {
    return this.#block(entry).previous[entry & (blockSize - 1)]!;
  }

  #hash(entry: number): number {
    return this.#block(entry).hash![entry & (blockSize - 1)]!;
  }

  #position(entry: number): number {
    return this.#block(entry).position[entry & (blockSize - 1)]!;
  }

  #add(place: Place, kind: number, hash: number): number {
    const entry = this.#size;
    this.#size += 1;
    if (entry >>> blockBits === this.#blocks.length) this.#blocks.push(newBlock(place.offset));
    const block = this.#block(entry);
    const at = entry & (blockSize - 1);
    const offset = place.offset - block.base;
    const fits = offset >= 0 && offset <= 0xffff_ffff;
    if (!fits && block.offset instanceof Uint32Array)
      block.offset = Float64Array.from(block.offset);
    block.offset[at] = offset;
    block.hash![at] = hash;
    block.length[at] = place.length;
    block.line[at] = place.line;
    if (place.firstEvent > 0) {
      block.firstEvent ??= new Uint32Array(blockSize);
      block.firstEvent[at] = place.firstEvent;
    }
    block.previous[at] = none;
    block.position[at] = none;
    block.flags[at] = kind | (place.rewritten ? rewrittenFlag : 0);
    return entry;
  }

  #setLive(position: number, entry: number): void {
    if (position === this.#live.length) {
      const larger = new Uint32Array(Math.ceil(this.#live.length * 1.5));
      larger.set(this.#live);
      this.#live = larger;
    }
    this.#live[position] = entry;
    this.#block(entry).position[entry & (blockSize - 1)] = position;
    if (position === this.#liveSize) this.#liveSize += 1;
  }

  #newest(hash: number): number {
    return (this.#slots[this.#slotOf(hash)]! - 1) >>> 0;
  }

  #setNewest(hash: number, entry: number): void {
    const slot = this.#slotOf(hash);
    if (this.#slots[slot] === 0) this.#ids += 1;
    this.#slots[slot] = entry + 1;
    if (this.#ids * 4 > this.#slots.length * 3) this.#rehash();
  }

  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash % this.#slots.length;
    for (;;) {
      const held = this.#slots[slot]!;
      if (held === 0) return slot;
      const entry = held - 1;
      if (this.#hash(entry) === hash) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #rehash(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    for (const held of old) {
      if (held === 0) continue;
      const entry = held - 1;
      this.#slots[this.#slotOf(this.#hash(entry))] = held;
    }
  }
}

function newBlock(base: number): LedgerBlock {
  return {
    base,
    offset: new Uint32Array(blockSize),
    hash: new Float64Array(blockSize),
    length: new Uint32Array(blockSize),
    line: new Uint32Array(blockSize),
    firstEvent: undefined,
    previous: new Uint32Array(blockSize),
    position: new Uint32Array(blockSize),
    flags: new Uint8Array(blockSize),
  };
}
