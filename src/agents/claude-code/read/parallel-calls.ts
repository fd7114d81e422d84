import { flag } from "./record-flags.ts";
import type { RecordIndex } from "./record-index.ts";

/**
 * Puts parallel tool calls together again. Every result hangs on its own call, so a walk to the root
 * passes one branch only; the other calls of the same message and their results belong to the replay
 * too: where the message begins, its parts first, each in file order.
 */
export function joinParallelCalls(index: RecordIndex, path: Int32Array): Int32Array {
  const calls = new ParallelCalls(index, path);
  const strays = calls.takeStrays(path[0] ?? 0);
  return strays === 0 ? path : calls.order(path.length + strays);
}

/** Numbers of one join, in typed arrays: a long session has as many records as bytes are dear. */
class ParallelCalls {
  readonly #index: RecordIndex;
  readonly #path: Int32Array;
  /** The place of every live record on the path; -1 for what is not live. */
  readonly #place: Int32Array;
  /** The place of every message's first record on the path, or -1. */
  readonly #begins: Int32Array;
  /** Whether something was taken in at a place: then its family is brought together. */
  readonly #mixed: Uint8Array;

  constructor(index: RecordIndex, path: Int32Array) {
    this.#index = index;
    this.#path = path;
    this.#place = new Int32Array(index.size).fill(-1);
    this.#begins = new Int32Array(index.messages.size).fill(-1);
    this.#mixed = new Uint8Array(path.length);
    for (let at = path.length - 1; at >= 0; at -= 1) {
      this.#place[path[at]!] = at;
      const group = index.groups[path[at]!]!;
      if (group >= 0) this.#begins[group] = at;
    }
  }

  /** Takes in what the path passed by; earlier records cannot belong to a message on it. */
  takeStrays(first: number): number {
    const index = this.#index;
    const answered = new Uint8Array(index.size);
    let taken = 0;
    for (let record = first; record < index.size; record += 1) {
      if (index.has(record, flag.sidechain)) continue;
      const group = index.groups[record]!;
      if (this.#place[record]! < 0) {
        if (group >= 0 && this.#begins[group]! >= 0 && this.#branchesOff(record)) {
          taken += this.#take(record);
        }
      } else if (index.has(record, flag.results)) {
        const call = index.callOf(record);
        if (call >= 0) answered[call] = 1;
      }
    }
    for (let record = first; record < index.size; record += 1) {
      if (this.#place[record]! >= 0 || !index.has(record, flag.results)) continue;
      if (index.has(record, flag.sidechain)) continue;
      const call = index.callOf(record);
      if (call < 0 || this.#place[call]! < 0 || !index.has(call, flag.calls)) continue;
      if (answered[call] === 1 && !index.has(call, flag.manyCalls)) continue;
      answered[call] = 1;
      taken += this.#take(record);
    }
    return taken;
  }

  /**
   * Whether a part of a message hangs on another live part, or on a result of one. Older versions append a
   * whole chain again under the same message ids: such a copy begins behind another message.
   */
  #branchesOff(record: number): boolean {
    const index = this.#index;
    const parent = index.parentOf(record);
    if (parent < 0 || this.#place[parent]! < 0) return false;
    const owner = index.has(parent, flag.results) ? index.callOf(parent) : parent;
    return owner >= 0 && index.groups[owner] === index.groups[record];
  }

  #take(record: number): number {
    const at = this.#familyPlace(record);
    this.#place[record] = at;
    this.#mixed[at] = 1;
    return 1;
  }

  /** Where the message begins that a record is part or result of; its own place where it is neither. */
  #familyPlace(record: number): number {
    const index = this.#index;
    const owner = index.has(record, flag.results) ? index.callOf(record) : record;
    if (owner < 0) return this.#place[record]!;
    const group = index.groups[owner]!;
    const begins = group >= 0 ? this.#begins[group]! : this.#place[owner]!;
    return begins >= 0 ? begins : this.#place[record]!;
  }

  /** All live records, sorted by place by counting; families stand at their beginning. */
  order(length: number): Int32Array {
    const index = this.#index;
    const next = new Int32Array(this.#path.length + 1);
    const placed = (record: number): number => {
      const family = this.#familyPlace(record);
      return this.#mixed[family] === 1 ? family : this.#place[record]!;
    };
    for (let record = 0; record < index.size; record += 1) {
      if (this.#place[record]! < 0) continue;
      const at = placed(record) + 1;
      next[at] = next[at]! + 1;
    }
    for (let at = 1; at < next.length; at += 1) next[at] = next[at]! + next[at - 1]!;
    const order = new Int32Array(length);
    for (const results of [false, true]) {
      for (let record = 0; record < index.size; record += 1) {
        if (this.#place[record]! < 0 || index.has(record, flag.results) !== results) continue;
        const at = placed(record);
        order[next[at]!] = record;
        next[at] = next[at]! + 1;
      }
    }
    return order;
  }
}
