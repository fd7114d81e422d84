import type { JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";

/** A count that no model message can have: negative, not whole, not a number, beyond any context. */
export class AbsurdCount extends Error {}

/** The count a field holds; absent and null are 0, anything that cannot be a count throws `AbsurdCount`. */
export function countIn(fields: JsonObject, name: string): number {
  const value = fields[name];
  if (value === undefined || value === null) return 0;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) {
    if (value <= limits.usageTokens) return value;
  }
  throw new AbsurdCount(name);
}

/** Counts in the text of a JSON object, read without a parser; quickest in the order they stand in. */
export class CountReader {
  /** Something stood where a count was wanted that is for a parser. */
  isDoubtful = false;
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The count behind a key; 0 where the key is absent. */
  after(key: string): number {
    const text = this.#text;
    let found = text.indexOf(key, this.#at);
    if (found < 0) found = text.indexOf(key);
    if (found < 0) return 0;
    const start = found + key.length;
    let end = start;
    let count = 0;
    for (let digit = text.charCodeAt(end) - 48; digit >= 0 && digit <= 9; ) {
      count = count * 10 + digit;
      end += 1;
      digit = text.charCodeAt(end) - 48;
    }
    const isWhole = end > start && (text[end] === "," || text[end] === "}");
    if (!isWhole || count > limits.usageTokens) this.isDoubtful = true;
    this.#at = end;
    return count;
  }
}

/** The cost a program recorded, NaN where there is none that can be one. */
export function costIn(value: unknown): number {
  return typeof value === "number" && value > 0 && value < limits.usageCostUsd ? value : Number.NaN;
}

/** Epoch milliseconds of an ISO text or a number; NaN where it is neither or beyond any calendar. */
export function momentIn(value: unknown): number {
  const ms =
    typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : Number.NaN;
  return Math.abs(ms) < limits.usageTimeMs ? ms : Number.NaN;
}
