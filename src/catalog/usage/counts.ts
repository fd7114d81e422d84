import type { JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";

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

/** The count behind a key in JSON; 0 where the key is absent, NaN where what stands there is for a parser. */
export function countAfter(text: string, key: string): number {
  const at = text.indexOf(key);
  if (at < 0) return 0;
  const start = at + key.length;
  let end = start;
  let count = 0;
  for (let digit = digitAt(text, end); digit >= 0 && digit <= 9; digit = digitAt(text, end)) {
    count = count * 10 + digit;
    end += 1;
  }
  const isWhole = end > start && (text[end] === "," || text[end] === "}");
  return isWhole && count <= limits.usageTokens ? count : Number.NaN;
}

function digitAt(text: string, at: number): number {
  return text.charCodeAt(at) - 48;
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
