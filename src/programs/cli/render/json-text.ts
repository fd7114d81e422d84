import { isObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";

/** A value as JSON. One that is nested deeper than a stack can follow is cut at the house's depth. */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? "null";
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(cut(value, 0), null, indent) ?? "null";
  }
}

function cut(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= limits.depth) return "[nested too deep]";
  if (Array.isArray(value)) return value.map((item) => cut(item, depth + 1));
  if (!isObject(value)) return value;
  // fromEntries defines keys, so that a `__proto__` key stays a key.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, cut(item, depth + 1)]),
  );
}
