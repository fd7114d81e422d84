import { areTooHeavy, isTooHeavy } from "./json-weight.ts";

/** A parsed JSON object whose shape nobody vouches for. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is a string, else undefined. */
export function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value if it is a finite number, else undefined. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The value if it is a whole number that can be counted to, else undefined. */
export function asCount(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

/** The value if it is an array, else an empty one. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The object a text holds, or undefined if it is not one whole JSON object, or one that is too heavy. */
export function parseObject(text: string, unweighedChars?: number): JsonObject | undefined {
  if (isTooHeavy(text, unweighedChars)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The same object without its undefined fields. */
export function withoutAbsent<T extends Record<string, unknown>>(
  object: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** The object that UTF-8 bytes hold, a byte order mark passed over, or undefined likewise. */
export function parseObjectBytes(bytes: Buffer): JsonObject | undefined {
  if (areTooHeavy(bytes)) return undefined;
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return parseObject(bytes.toString("utf8", hasMark ? 3 : 0));
}

/** The texts in a list; none where it is not a list. */
export function textsIn(value: unknown): readonly string[] {
  return asArray(value).flatMap((item) => asString(item) ?? []);
}
