/** Numbers by id, in typed arrays: millions of ids cost tens of megabytes, not hundreds. An id is kept as its `hashText`. */
export class IdTable {
  #ids: Float64Array;
  #values: Int32Array;
  /** Entry numbers plus one; zero is free. At most half full. */
  #slots: Int32Array;
  #size = 0;

  /** Room that is never used costs address space, not memory: the system gives pages when touched. */
  constructor(capacity = 256) {
    this.#ids = new Float64Array(capacity);
    this.#values = new Int32Array(capacity);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(capacity / 2, 1024))));
  }

  get size(): number {
    return this.#size;
  }

  /** The entry of an id, or -1. */
  find(id: number): number {
    return this.#slots[this.#slotOf(id)]! - 1;
  }

  /** The entry of an id, made with `value` where there was none. */
  entry(id: number, value: number): number {
    const slot = this.#slotOf(id);
    const found = this.#slots[slot]! - 1;
    if (found >= 0) return found;
    const entry = this.#size;
    this.#size += 1;
    if (entry === this.#ids.length) this.#grow();
    this.#ids[entry] = id;
    this.#values[entry] = value;
    this.#slots[slot] = entry + 1;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return entry;
  }

  valueAt(entry: number): number {
    return this.#values[entry]!;
  }

  setValue(entry: number, value: number): void {
    this.#values[entry] = value;
  }

  idAt(entry: number): number {
    return this.#ids[entry]!;
  }

  #slotOf(id: number): number {
    const mask = this.#slots.length - 1;
    let slot = id & mask;
    for (;;) {
      const entry = this.#slots[slot]! - 1;
      if (entry < 0 || this.#ids[entry] === id) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const length = Math.ceil(this.#size * 1.5);
    this.#ids = copied(new Float64Array(length), this.#ids);
    this.#values = copied(new Int32Array(length), this.#values);
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let entry = 0; entry < this.#size; entry += 1) {
      this.#slots[this.#slotOf(this.#ids[entry]!)] = entry + 1;
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
