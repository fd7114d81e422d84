import { crc32 } from "node:zlib";
import { limits } from "../base/limits.ts";
import { JsonBytes } from "../json/json-bytes.ts";
import type { Atom } from "./atoms.ts";

/** Remembers atoms in eight bytes each: their length and their checksum. */
export class Marks {
  readonly #halves: "escaped" | "replaced";
  #marks = new Uint32Array(1024);
  #size = 0;

  /** Of a store that replaces halves of characters, texts are equal that differ in nothing else. */
  constructor({ replacesHalves = false }: { readonly replacesHalves?: boolean } = {}) {
    this.#halves = replacesHalves ? "replaced" : "escaped";
  }

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
    const { length, sum } = markOf(atom, this.#halves);
    this.#marks[this.#size * 2] = length;
    this.#marks[this.#size * 2 + 1] = sum;
    this.#size += 1;
  }

  /** Whether the atom at this place is the given one. */
  matches(index: number, atom: Atom): boolean {
    if (index >= this.#size) return false;
    const { length, sum } = markOf(atom, this.#halves);
    return this.#marks[index * 2] === length && this.#marks[index * 2 + 1] === sum;
  }
}

const writers = new Map<"escaped" | "replaced", JsonBytes>();

/** Over what is said as JSON: so a text that is only passed on is never made into a string. */
function markOf(
  { label, said }: Atom,
  loneSurrogates: "escaped" | "replaced",
): { readonly length: number; readonly sum: number } {
  const json =
    writers.get(loneSurrogates) ??
    new JsonBytes({ loneSurrogates, mostBytes: Number.POSITIVE_INFINITY });
  json.restart();
  json.value(said);
  const { buffer, length } = json;
  if (buffer.length > limits.keptBufferBytes) writers.delete(loneSurrogates);
  else writers.set(loneSurrogates, json);
  return { length, sum: crc32(buffer.subarray(0, length), crc32(label)) };
}
