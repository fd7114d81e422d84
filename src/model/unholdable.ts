import { limits } from "../base/limits.ts";

/** A place in a value, and why JSON cannot hold what is there. */
export interface Unholdable {
  readonly path: string;
  readonly why: string;
}

/**
 * The first place in a value that JSON would refuse, or give back as something else: a BigInt, bytes, a Map or Set, a
 * cycle, or what lies too deep. Functions and symbols are left out as `JSON.stringify` leaves them out.
 */
export function unholdable(value: unknown, path: string): Unholdable | undefined {
  return look(value, { path, above: [] });
}

function look(
  value: unknown,
  at: { readonly path: string; readonly above: readonly object[] },
): Unholdable | undefined {
  const { path, above } = at;
  if (typeof value === "bigint") return { path, why: "is a BigInt" };
  if (typeof value !== "object" || value === null) return undefined;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return { path, why: "is binary: give it as bytes(…)" };
  if (value instanceof Map || value instanceof Set)
    return { path, why: `is a ${value instanceof Map ? "Map" : "Set"}` };
  if (above.includes(value)) return { path, why: "contains itself" };
  if (above.length >= limits.depth) return { path, why: `lies over ${limits.depth} levels deep` };
  // What has its own idea of JSON, such as a date, is asked when it is written.
  if ("toJSON" in value) return undefined;
  const within = [...above, value];
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== "object" && typeof inner !== "bigint") continue;
    const place = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    const found = look(inner, { path: place, above: within });
    if (found !== undefined) return found;
  }
  return undefined;
}
