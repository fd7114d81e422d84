/**
 * Finds a number by its key, where the keys are kept elsewhere. Some six bytes for each, a fifth of what a `Map`
 * takes: the entries of gigabytes fit into memory (P5).
 */
export class KeySlots {
  readonly #keyOf: (held: number) => number;
  /** What is held; zero is free. At most three quarters full. */
  #slots = new Int32Array(1024);
  #used = 0;

  /** `keyOf` gives the key of what is held; it must not change. */
  constructor(keyOf: (held: number) => number) {
    this.#keyOf = keyOf;
  }

  /** What is held for a key; zero where there is nothing. */
  get(key: number): number {
    return this.#slots[this.#slotOf(key)]!;
  }

  /** Holds a number other than zero for its key, in place of what was held. */
  set(key: number, held: number): void {
    const slot = this.#slotOf(key);
    const isNew = this.#slots[slot] === 0;
    this.#slots[slot] = held;
    if (!isNew) return;
    this.#used += 1;
    if (this.#used * 4 > this.#slots.length * 3) this.#grow();
  }

  /** Everything that is held. */
  *[Symbol.iterator](): Generator<number> {
    for (const held of this.#slots) if (held !== 0) yield held;
  }

  #slotOf(key: number): number {
    const mask = this.#slots.length - 1;
    let slot = key % this.#slots.length;
    for (;;) {
      const held = this.#slots[slot]!;
      if (held === 0 || this.#keyOf(held) === key) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    for (const held of old) {
      if (held !== 0) this.#slots[this.#slotOf(this.#keyOf(held))] = held;
    }
  }
}
