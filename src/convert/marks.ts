import { crc32 } from "node:zlib";
import { limits } from "../base/limits.ts";
import type { Atom } from "./atoms.ts";

/** Remembers atoms in eight bytes each: their length and their checksum. */
export class Marks {
  #marks = new Uint32Array(1024);
  #size = 0;

  /** How many atoms were remembered. */
  get size(): number {
    return this.#size;
  }

  add(atom: Atom): void {
    if (this.#size * 2 === this.#marks.length) {
      const grown = new Uint32Array(this.#marks.length * 2);
      grown.set(this.#marks);
      this.#marks = grown;
    }
    this.#marks[this.#size * 2] = atom.text.length;
    this.#marks[this.#size * 2 + 1] = markOf(atom);
    this.#size += 1;
  }

  /** Whether the atom at this place is the given one. */
  matches(index: number, atom: Atom): boolean {
    return (
      index < this.#size &&
      this.#marks[index * 2] === atom.text.length &&
      this.#marks[index * 2 + 1] === markOf(atom)
    );
  }

  /** All of it as plain numbers, which can be sent to another thread. */
  numbers(): Uint32Array<ArrayBuffer> {
    return this.#marks.slice(0, this.#size * 2);
  }

  /** Whether others remembered the same. */
  equals(numbers: Uint32Array): boolean {
    return (
      numbers.length === this.#size * 2 &&
      numbers.every((number, index) => number === this.#marks[index])
    );
  }
}

const piece = Buffer.allocUnsafeSlow(2 * limits.chunkBytes);

/** Over the text as the engine keeps it: making other bytes of it first would cost more than the sum. */
function markOf({ label, text }: Atom): number {
  let mark = crc32(label);
  for (let from = 0; from < text.length; from += piece.length / 2) {
    const part =
      from === 0 && text.length * 2 <= piece.length
        ? text
        : text.slice(from, from + piece.length / 2);
    mark = crc32(piece.subarray(0, piece.write(part, "utf16le")), mark);
  }
  return mark;
}
