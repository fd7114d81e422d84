/** Two 32-bit hashes of an id: what the index keeps of it instead of the string. */
export interface IdHash {
  readonly low: number;
  readonly high: number;
}

/** The hash of the id that stands in `bytes` from `start` to `end`. */
export function hashId(bytes: Uint8Array, start: number, end: number): IdHash {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let index = start; index < end; index += 1) {
    const byte = bytes[index]!;
    low = Math.imul(low ^ byte, 0x01000193);
    high = Math.imul(high ^ byte, 0x5bd1e995);
    high ^= high >>> 15;
  }
  return { low: (low ^ (low >>> 16)) >>> 0, high: high >>> 0 };
}

/** The hash of an id that is a string. */
export function idOf(id: string): IdHash {
  const bytes = Buffer.from(id);
  return hashId(bytes, 0, bytes.length);
}

/** Numbers by id, in typed arrays: millions of ids cost tens of megabytes, not hundreds. */
export class IdTable {
  #low: Uint32Array;
  #high: Uint32Array;
  #value: Int32Array;
  /** Entry numbers plus one; zero is free. At most half full. */
  #slots: Int32Array;
  #size = 0;

  /** Room that is never used costs address space, not memory: the system gives pages when touched. */
  constructor(capacity = 256) {
    this.#low = new Uint32Array(capacity);
    this.#high = new Uint32Array(capacity);
    this.#value = new Int32Array(capacity);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(capacity / 2, 1024))));
  }

  get size(): number {
    return this.#size;
  }

  /** The entry of an id, or -1. */
  find(id: IdHash): number {
    return this.#slots[this.#slotOf(id)]! - 1;
  }

  /** The entry of an id, made with `value` where there was none. */
  entry(id: IdHash, value: number): number {
    const slot = this.#slotOf(id);
    const found = this.#slots[slot]! - 1;
    if (found >= 0) return found;
    const entry = this.#size;
    this.#size += 1;
    if (entry === this.#low.length) this.#grow();
    this.#low[entry] = id.low;
    this.#high[entry] = id.high;
    this.#value[entry] = value;
    this.#slots[slot] = entry + 1;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return entry;
  }

  valueAt(entry: number): number {
    return this.#value[entry]!;
  }

  setValue(entry: number, value: number): void {
    this.#value[entry] = value;
  }

  hashAt(entry: number): IdHash {
    return { low: this.#low[entry]!, high: this.#high[entry]! };
  }

  #slotOf(id: IdHash): number {
    const mask = this.#slots.length - 1;
    let slot = (id.low ^ Math.imul(id.high, 0x9e3779b1)) & mask;
    for (;;) {
      const entry = this.#slots[slot]! - 1;
      if (entry < 0) return slot;
      if (this.#low[entry] === id.low && this.#high[entry] === id.high) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const length = Math.ceil(this.#size * 1.5);
    this.#low = copied(new Uint32Array(length), this.#low);
    this.#high = copied(new Uint32Array(length), this.#high);
    this.#value = copied(new Int32Array(length), this.#value);
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let entry = 0; entry < this.#size; entry += 1) {
      this.#slots[this.#slotOf(this.hashAt(entry))] = entry + 1;
    }
  }
}

/** The larger array with the smaller one's numbers at its front. */
export function copied<T extends Uint32Array | Int32Array | Uint16Array | Float64Array>(
  larger: T,
  smaller: T,
): T {
  larger.set(smaller);
  return larger;
}
