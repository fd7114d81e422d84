import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { RepriseError } from "../base/errors.ts";
import { isObject, type JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";

/*
 * Values of memories as JSON. What JSON cannot hold stands in an object with one key that begins with `$`; an object of
 * the caller's that looks like one is wrapped, so that everything comes back as it was.
 */

/** A value as a log line holds it: its JSON, or its JSON compressed. */
export interface StoredValue {
  readonly json?: string;
  /** JSON, deflated, in base64. */
  readonly deflated?: string;
}

/** A value ready to be stored, with what is known of it. */
export interface EncodedValue extends StoredValue {
  readonly sizeBytes: number;
  readonly compressed: boolean;
  readonly checksum: string;
}

/** Makes a value ready to be stored; throws `bad_input` that names the place of what cannot be. */
export function encodeValue(value: unknown): EncodedValue {
  return packJson(JSON.stringify(plain(value, "value", new Set())));
}

/** The same for a value that is JSON already, with its marks. */
export function packJson(json: string): EncodedValue {
  const sizeBytes = Buffer.byteLength(json);
  if (sizeBytes > limits.memoryEntryBytes) {
    throw new RepriseError("too_large", `The value has ${sizeBytes} bytes.`, {
      hint: `A memory holds up to ${limits.memoryEntryBytes} bytes. Store the path of a file instead.`,
      details: { sizeBytes },
    });
  }
  const checksum = checksumOf(json);
  if (sizeBytes <= limits.memoryPlainBytes) return { json, sizeBytes, compressed: false, checksum };
  const deflated = deflateRawSync(json).toString("base64");
  return { deflated, sizeBytes, compressed: true, checksum };
}

/** The JSON of a stored value; undefined if it is damaged. */
export function jsonOf({ json, deflated }: StoredValue): string | undefined {
  if (json !== undefined) return json;
  if (deflated === undefined) return undefined;
  try {
    const most = { maxOutputLength: limits.memoryEntryBytes };
    return inflateRawSync(Buffer.from(deflated, "base64"), most).toString("utf8");
  } catch {
    return undefined;
  }
}

/** The value that JSON stands for. */
export function decodeValue(json: string): unknown {
  return rich(JSON.parse(json));
}

/** What proves that a value is the one that was stored. */
export function checksumOf(json: string): string {
  return createHash("sha256").update(json).digest("hex");
}

/** What a search looks through: every text in a value, keys of maps and objects included. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array || value === null || value === undefined) return "";
  if (value instanceof Map) return [...value].flat().map(textOf).join(" ");
  if (value instanceof Set) return [...value].map(textOf).join(" ");
  if (Array.isArray(value)) return value.map(textOf).join(" ");
  return Object.entries(value).flat().map(textOf).join(" ");
}

function plain(value: unknown, path: string, above: Set<object>): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (Number.isFinite(value)) return value;
      throw cannotHold(path, String(value));
    case "object":
      break;
    default:
      throw cannotHold(path, typeof value);
  }
  if (value === null) return null;
  if (above.has(value)) throw cannotHold(path, "a cycle");
  if (above.size >= limits.memoryDepth) throw cannotHold(path, "more levels than a memory has");
  const inner = new Set(above).add(value);
  const of = (item: unknown, key: string | number) => plain(item, `${path}.${key}`, inner);
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw cannotHold(path, "an invalid date");
    return { $date: value.toISOString() };
  }
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") };
  if (value instanceof Map) return { $map: [...value].map((pair) => pair.map(of)) };
  if (value instanceof Set) return { $set: [...value].map(of) };
  if (Array.isArray(value)) return value.map(of);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const object = Object.fromEntries(entries.map(([key, item]) => [key, of(item, key)]));
  return marked(object) === undefined ? object : { $object: object };
}

function rich(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rich);
  if (!isObject(value)) return value;
  const mark = marked(value);
  const held = mark === undefined ? undefined : value[mark];
  if (mark === "$date" && typeof held === "string") return new Date(held);
  if (mark === "$bytes" && typeof held === "string")
    return new Uint8Array(Buffer.from(held, "base64"));
  if (mark === "$set" && Array.isArray(held)) return new Set(held.map(rich));
  if (mark === "$map" && Array.isArray(held)) {
    return new Map(held.filter(Array.isArray).map(([key, item]) => [rich(key), rich(item)]));
  }
  const object = mark === "$object" && isObject(held) ? held : value;
  return Object.fromEntries(Object.entries(object).map(([key, item]) => [key, rich(item)]));
}

/** The mark of an object that stands for something JSON cannot hold, or that looks as if it did. */
function marked(object: JsonObject): string | undefined {
  const keys = Object.keys(object);
  return keys.length === 1 && keys[0]!.startsWith("$") ? keys[0] : undefined;
}

function cannotHold(path: string, what: string): RepriseError {
  return new RepriseError("bad_input", `A memory cannot hold ${what} (at ${path}).`, {
    hint: "Values are JSON, and besides Date, Map, Set and bytes.",
  });
}
