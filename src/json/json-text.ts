import { limits } from "../base/limits.ts";

/**
 * A text as it stands in JSON between the quotes, byte for byte what `JSON.stringify` makes of it. It becomes
 * a string only where somebody reads it: most of what is passed on from one file to another nobody does.
 */
export class JsonText {
  /** One character for each byte. */
  readonly bytes: string;
  #text: string | undefined;

  /** The string may be given where it is known. */
  constructor(bytes: string, text?: string) {
    this.bytes = bytes;
    this.#text = text;
  }

  /** The text itself. */
  get text(): string {
    this.#text ??= decoded(this.bytes);
    return this.#text;
  }

  /** The first characters of the text. */
  start(chars: number): string {
    if (this.#text !== undefined) return this.#text.slice(0, chars);
    const start = this.bytes.slice(0, endOf(this.bytes, chars));
    return plain.test(start) ? start : decoded(start);
  }

  /** Whether a word of plain letters may occur in the text; never misses one. */
  mayHold(word: string): boolean {
    return this.bytes.includes(word);
  }

  /** The text without blanks at its ends, or undefined where these are unusual: then the string tells. */
  trimmed(): JsonText | undefined {
    const { bytes } = this;
    let from = 0;
    let end = bytes.length;
    while (from < end && blankAfter(bytes, from) > 0) from += blankAfter(bytes, from);
    while (end > from && blankBefore(bytes, end) > 0) end -= blankBefore(bytes, end);
    if (from === end) return undefined;
    const first = edge(bytes.slice(from, Math.min(from + 6, end)));
    const last = edge(bytes.slice(Math.max(from, end - 6), end));
    if (first === undefined || first.trimStart() !== first) return undefined;
    if (last === undefined || last.trimEnd() !== last) return undefined;
    return end - from === bytes.length ? this : new JsonText(bytes.slice(from, end));
  }

  toJSON(): string {
    return this.text;
  }

  toString(): string {
    return this.text;
  }
}

/** What stands for itself: neither an escape nor part of a letter beyond ASCII. */
const plain = /^[ -[\]-~]*$/;

function decoded(bytes: string): string {
  return JSON.parse(`"${Buffer.from(bytes, "latin1").toString("utf8")}"`) as string;
}

/** Where the first characters end: an escape is one, as are the bytes of a letter beyond ASCII. */
function endOf(bytes: string, chars: number): number {
  let at = 0;
  for (let units = 0; at < bytes.length; ) {
    const byte = bytes.charCodeAt(at);
    // Bytes that go on with a character belong to it.
    if ((byte & 0xc0) !== 0x80) {
      if (units >= chars) break;
      units += byte >= 0xf0 ? 2 : 1;
    }
    at += byte !== 0x5c ? 1 : bytes[at + 1] === "u" ? 6 : 2;
  }
  return at;
}

/** The length of the blank that begins at an index; 0 where there is none. */
function blankAfter(bytes: string, at: number): number {
  if (bytes[at] === " ") return 1;
  return bytes[at] === "\\" && isBlankLetter(bytes, at + 1) ? 2 : 0;
}

/** The length of the blank that ends before an index; 0 where there is none. */
function blankBefore(bytes: string, end: number): number {
  if (bytes[end - 1] === " ") return 1;
  if (!isBlankLetter(bytes, end - 1)) return 0;
  let slashes = 0;
  while (bytes[end - 2 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 1 ? 2 : 0;
}

function isBlankLetter(bytes: string, at: number): boolean {
  const letter = bytes[at];
  return letter === "n" || letter === "t" || letter === "r" || letter === "f";
}

const beyondAscii = /[\x80-\xff]/;

/** A few bytes at an end as text, in which blanks beyond ASCII show; undefined where another may be escaped. */
function edge(bytes: string): string | undefined {
  if (bytes.includes("\\u000b")) return undefined;
  return beyondAscii.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
}

const held = Symbol("texts that are still JSON");

/** The texts an object holds, one behind the other: mostly it is one. */
interface Held {
  readonly key: string;
  readonly json: JsonText;
  readonly next: Held | undefined;
}

interface Holder {
  readonly [held]?: Held;
  readonly [key: string]: unknown;
}

// One for each key: an object with an accessor of its own would be of a kind of its own.
const properties = new Map<string, PropertyDescriptor>();

/** Gives an object a property that is a string like any other, made when it is read. */
export function holdText(object: object, key: string, json: JsonText): void {
  let property = properties.get(key);
  if (property === undefined) {
    // The object's own, so that whoever copies it copies the string.
    property = { get: readerOf(key), enumerable: true, configurable: true };
    if (properties.size >= limits.rememberedValues) properties.clear();
    properties.set(key, property);
  }
  Object.defineProperty(object, key, property);
  const value: Held = { key, json, next: (object as Holder)[held] };
  Object.defineProperty(object, held, { value, configurable: true });
}

function readerOf(key: string): (this: Holder) => string | undefined {
  return function (this: Holder) {
    return heldAt(this, key)?.text;
  };
}

/** The text of a property that is still JSON; undefined where it is not. */
export function heldAt(object: object, key: string): JsonText | undefined {
  for (let at = (object as Holder)[held]; at !== undefined; at = at.next) {
    if (at.key === key) return at.json;
  }
  return undefined;
}

/** A new object with properties of another under other names, none where there is none; texts stay as they are. */
export function renamed(
  object: object,
  nameOf: (key: string) => string | undefined,
  into: Record<string, unknown> = {},
): Record<string, unknown> {
  for (const key of Object.keys(object)) {
    const name = nameOf(key);
    if (name === undefined) continue;
    const json = heldAt(object, key);
    if (json !== undefined) holdText(into, name, json);
    else {
      // Defined, not assigned: a key may be `__proto__`.
      const value: unknown = (object as Holder)[key];
      const rest = { enumerable: true, writable: true, configurable: true };
      Object.defineProperty(into, name, { value, ...rest });
    }
  }
  return into;
}

/** The string of a property, as JSON where it still is that; undefined where it is none. */
export function textAt(object: object, key: string): string | JsonText | undefined {
  const json = heldAt(object, key);
  if (json !== undefined) return json;
  const value = (object as Holder)[key];
  return typeof value === "string" ? value : undefined;
}

/** The first characters of a text of either kind. */
export function startOf(text: string | JsonText, chars: number): string {
  return typeof text === "string" ? text.slice(0, chars) : text.start(chars);
}

/** A text of either kind as a string. */
export function stringOf(text: string | JsonText): string {
  return typeof text === "string" ? text : text.text;
}
