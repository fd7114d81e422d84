import { asString, isObject, type JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import type { EventBody } from "../model/event.ts";
import { secretField } from "./assignments.ts";
import { createMasker, type Found, type Masker, type MaskOptions } from "./mask.ts";

/** Masks every string of a JSON value; a key such as `password` says about its value. */
export function maskValue<T>(
  value: T,
  options: MaskOptions = {},
): { readonly value: T; readonly found: readonly Found[] } {
  const masker = createMasker(options);
  const masked = maskValueWith(masker, value);
  return { value: masked, found: masker.found() };
}

/** Masks every string of an event: prompts, answers, tool inputs, results, details. */
export function maskEvent<T extends EventBody>(
  event: T,
  options: MaskOptions = {},
): { readonly event: T; readonly found: readonly Found[] } {
  const { value, found } = maskValue(event, options);
  return { event: value, found };
}

/** The same with a masker that is shared by many values. */
export function maskValueWith<T>(masker: Masker, value: T): T {
  return masked(value, { masker, depth: 0 }) as T;
}

interface Walk {
  readonly masker: Masker;
  readonly depth: number;
}

function masked(value: unknown, walk: Walk): unknown {
  if (typeof value === "string") return walk.masker.text(value);
  if (!Array.isArray(value) && !isObject(value)) return value;
  // What is too deep to look at cannot be vouched for, so it does not go out.
  if (walk.depth >= limits.depth) return "[left out: nested too deep]";
  const inner = { masker: walk.masker, depth: walk.depth + 1 };
  if (Array.isArray(value)) return value.map((item) => masked(item, inner));
  // fromEntries defines keys, so that a `__proto__` key stays a key.
  return Object.fromEntries(
    Object.entries(value).map(([key, field], index) => [
      maskedKey(key, index, inner),
      maskedField(value, key, { field, inner }),
    ]),
  );
}

/** Names of fields are short and no paths; a longer key may be anything, and two must not become one. */
const fieldChars = 15;

function maskedKey(key: string, index: number, { masker }: Walk): string {
  if (key.length <= fieldChars && !/[/\\]/.test(key)) return key;
  const safe = masker.text(key);
  return safe === key ? key : `${safe} ${index + 1}`;
}

function maskedField(
  holder: JsonObject,
  key: string,
  { field, inner }: { readonly field: unknown; readonly inner: Walk },
): unknown {
  if (typeof field !== "string") {
    if (key === "source" && isObject(field) && field["kind"] === "base64") {
      return maskedSource(field, { mediaType: asString(holder["mediaType"]), inner });
    }
    return masked(field, inner);
  }
  if (isImageData(holder, key) || isProof(holder, key)) return field;
  const text = inner.masker.text(field);
  if (text !== field) return text;
  const rule = secretField(key, field);
  return rule === undefined ? field : inner.masker.whole(field, rule);
}

/** Bytes of text are masked as text; other bytes stay as they are. */
function maskedSource(
  source: JsonObject,
  { mediaType, inner }: { readonly mediaType: string | undefined; readonly inner: Walk },
): unknown {
  const data = asString(source["data"]);
  if (data === undefined) return masked(source, inner);
  if (mediaType === undefined || !/^text\/|json|xml|yaml|toml/.test(mediaType)) return source;
  const text = Buffer.from(data, "base64").toString("utf8");
  const safe = inner.masker.text(text);
  return safe === text ? source : { ...source, data: Buffer.from(safe).toString("base64") };
}

function isImageData(holder: JsonObject, key: string): boolean {
  if (key !== "data") return false;
  const type = holder["mediaType"] ?? holder["media_type"] ?? holder["mimeType"];
  return typeof type === "string" && type.startsWith("image/");
}

/** A provider's proof over its own thinking: no secret of the user, and worthless when changed. */
function isProof(holder: JsonObject, key: string): boolean {
  return key === "signature" && holder["type"] === "thinking";
}
