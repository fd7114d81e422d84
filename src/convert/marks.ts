import { crc32 } from "node:zlib";
import { JsonBytes } from "../base/json-bytes.ts";
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
    const { length, sum } = markOf(atom);
    this.#marks[this.#size * 2] = length;
    this.#marks[this.#size * 2 + 1] = sum;
    this.#size += 1;
  }

  /** Whether the atom at this place is the given one. */
  matches(index: number, atom: Atom): boolean {
    if (index >= this.#size) return false;
    const { length, sum } = markOf(atom);
    return this.#marks[index * 2] === length && this.#marks[index * 2 + 1] === sum;
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

let json: JsonBytes | undefined;

/** Over what is said as JSON: so a text that is only passed on is never made into a string. */
function markOf({ label, said }: Atom): { readonly length: number; readonly sum: number } {
  json ??= new JsonBytes({ loneSurrogates: "escaped", mostBytes: Number.POSITIVE_INFINITY });
  json.restart();
  json.value(said);
  const { buffer, length } = json;
  if (buffer.length > limits.keptBufferBytes) json = undefined;
  return { length, sum: crc32(buffer.subarray(0, length), crc32(label)) };
}
