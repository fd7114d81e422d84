import { isObject, type JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import type { BlobRef } from "../model/block.ts";
import { isBlobName } from "./name.ts";

/*
 * Within a body, {"blob": name, "size": n} stands for a string. An object of the author's own that
 * looks like that is written as {"$literal": it}, and so is one whose only key is "$literal"; reading
 * takes one such wrapping off. Both directions leave what lies deeper than `limits.depth` alone.
 */

/** Whether a value holds a string that `spillLargeStrings` would move out. */
export function hasLargeString(value: unknown, depth = 0): boolean {
  if (typeof value === "string") return isLarge(value);
  if (typeof value !== "object" || value === null || depth > limits.depth) return false;
  for (const key in value) {
    if (hasLargeString((value as JsonObject)[key], depth + 1)) return true;
  }
  return false;
}

/** Moves every string over `limits.inlineStringBytes` out of a value; the same value where there is none. */
export function spillLargeStrings<T>(value: T, put: (text: string) => BlobRef): T {
  return spill(value, put, 0) as T;
}

/** The inverse of `spillLargeStrings`: asks for every string that was moved out. */
export function restoreStrings<T>(value: T, get: (ref: BlobRef) => string): T {
  return restore(value, get, 0) as T;
}

function spill(value: unknown, put: (text: string) => BlobRef, depth: number): unknown {
  if (typeof value === "string") return isLarge(value) ? put(value) : value;
  if (typeof value !== "object" || value === null || depth > limits.depth) return value;
  const inner = mapChildren(value, (child) => spill(child, put, depth + 1));
  return isRef(value) || isLiteral(value) ? { $literal: inner } : inner;
}

function restore(value: unknown, get: (ref: BlobRef) => string, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > limits.depth) return value;
  if (isRef(value)) return get(value);
  const own = isLiteral(value) && isObject(value.$literal) ? value.$literal : value;
  return mapChildren(own, (child) => restore(child, get, depth + 1));
}

function isLarge(text: string): boolean {
  // A character is at most three bytes a code unit, so short strings need no counting.
  if (text.length * 3 <= limits.inlineStringBytes) return false;
  return Buffer.byteLength(text) > limits.inlineStringBytes;
}

function isRef(value: object): value is BlobRef {
  if (!("blob" in value) || !("size" in value) || keyCount(value) !== 2) return false;
  return isBlobName(value.blob) && Number.isSafeInteger(value.size);
}

function isLiteral(value: object): value is { readonly $literal: unknown } {
  return "$literal" in value && keyCount(value) === 1;
}

/** How many keys are left once the value has been JSON. */
function keyCount(value: object): number {
  return Object.values(value).filter((child) => child !== undefined).length;
}

/** The same object where no child changed, so that the usual event is not copied. */
function mapChildren(value: object, map: (child: unknown) => unknown): object {
  if (Array.isArray(value)) {
    const mapped = value.map(map);
    return mapped.some((child, index) => child !== value[index]) ? mapped : value;
  }
  let changed = false;
  const entries = Object.entries(value).map(([key, child]): [string, unknown] => {
    const mapped = map(child);
    changed ||= mapped !== child;
    return [key, mapped];
  });
  // fromEntries makes a plain own property even of the key `__proto__`.
  return changed ? Object.fromEntries(entries) : value;
}
