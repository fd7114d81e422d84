import { RepriseError } from "./errors.ts";
import {
  backslash,
  escapesIn,
  firstPrintable,
  isEscaped,
  letterOf,
  quote,
  wordsOf,
} from "./escaped-bytes.ts";
import { JsonText } from "./json-text.ts";
import { limits } from "./limits.ts";

const comma = 0x2c;
const colon = 0x3a;
const firstBeyondAscii = 0x80;
/** A code unit is at most three bytes of UTF-8; a pair of them is four. */
const mostBytesPerUnit = 3;
/** Strings up to this length are copied character by character: a call into the system costs more. */
const shortString = 40;
const hex = "0123456789abcdef";

/** How JSON is written. */
export interface JsonBytesOptions {
  /** Half a character: JSON can name it by an escape, or it becomes U+FFFD as in any UTF-8. */
  readonly loneSurrogates: "escaped" | "replaced";
  /** Strings after so many bytes are refused. */
  readonly mostBytes: number;
}

/**
 * Writes values as JSON straight into one growing buffer: the bytes are those of `JSON.stringify`. For texts it costs about half as much, because most of their bytes
 * need no escaping and are looked at four at a time.
 */
export class JsonBytes {
  /** What was written so far lies before `length`; another buffer takes its place when it grows. */
  buffer: Buffer = Buffer.alloc(64 * 1024);
  length = 0;
  readonly #options: JsonBytesOptions;
  readonly #marks = new Int32Array(4096);
  #words = wordsOf(this.buffer);

  constructor(options: JsonBytesOptions) {
    this.#options = options;
  }

  /** Forgets what was written, but for the first bytes. */
  restart(length = 0): void {
    this.length = length;
  }

  /** Adds characters below U+0100 as they are, one byte each. */
  latin1(text: string): void {
    this.#reserve(text.length);
    this.length += this.buffer.write(text, this.length, "latin1");
  }

  /** Adds text as UTF-8, as it is. */
  text(text: string): void {
    this.#reserve(text.length * 3);
    this.length += this.buffer.write(text, this.length);
  }

  /** Adds a value; false where JSON has nothing for it, such as a function, and nothing was added. */
  value(value: unknown, depth = 0): boolean {
    if (typeof value === "string") this.#string(value);
    else if (value instanceof JsonText) this.#encoded(value);
    else if (typeof value === "number") this.latin1(Number.isFinite(value) ? `${value}` : "null");
    else if (typeof value === "boolean" || value === null) this.latin1(`${value}`);
    else if (typeof value !== "object" || depth > limits.depth || !isPlain(value)) {
      return this.#foreign(value);
    } else if (Array.isArray(value)) this.#array(value, depth + 1);
    else {
      this.#byte(0x7b);
      this.fields(value as Readonly<Record<string, unknown>>, { depth: depth + 1, goesOn: false });
      this.#byte(0x7d);
    }
    return true;
  }

  /** Adds `"key":value` pairs without the braces; where it `goesOn`, a comma stands before the first too. */
  fields(
    object: Readonly<Record<string, unknown>>,
    options: { readonly depth: number; readonly goesOn: boolean },
  ): void {
    let { goesOn } = options;
    for (const key of Object.keys(object)) {
      const before = this.length;
      if (goesOn) this.#byte(comma);
      this.#string(key);
      this.#byte(colon);
      if (this.value(object[key], options.depth)) goesOn = true;
      else this.length = before;
    }
  }

  #array(value: readonly unknown[], depth: number): void {
    this.#byte(0x5b);
    for (let index = 0; index < value.length; index += 1) {
      if (index > 0) this.#byte(comma);
      if (!this.value(value[index], depth)) this.latin1("null");
    }
    this.#byte(0x5d);
  }

  /** What has its own idea of JSON, what has none, and what nests too deep: a cycle throws here. */
  #foreign(value: unknown): boolean {
    const json = JSON.stringify(value) as string | undefined;
    if (json === undefined) return false;
    // JSON.stringify escapes lone surrogates; written part by part they become what they are to become.
    if (json.includes("\\ud") && this.#options.loneSurrogates === "replaced") {
      return this.value(JSON.parse(json));
    }
    this.text(json);
    return true;
  }

  #encoded({ bytes }: JsonText): void {
    this.#checkLength();
    this.#byte(quote);
    this.latin1(bytes);
    this.#byte(quote);
  }

  #checkLength(): void {
    if (this.length <= this.#options.mostBytes) return;
    throw new RepriseError("too_large", "An event is over the limit of one line.");
  }

  #string(text: string): void {
    this.#checkLength();
    this.#reserve(text.length * mostBytesPerUnit + 2);
    const end = text.length > shortString ? -1 : copyPlain(text, this.buffer, this.length + 1);
    if (end === -1) this.#longString(text);
    else this.#quoted(end);
  }

  /** Writes the text as UTF-8, then moves what stands behind a character that needs a backslash. */
  #longString(text: string): void {
    const escapesHalves = this.#options.loneSurrogates === "escaped";
    if (!escapesHalves || text.isWellFormed()) {
      const from = this.length + 1;
      const end = from + this.buffer.write(text, from);
      const marks = this.#marks;
      const count = findEscapes({ bytes: this.buffer, words: this.#words, from, end }, marks);
      if (count >= 0) {
        const found = marks.subarray(0, count);
        const extra = extraBytes(this.buffer, found);
        this.#growTo(end, extra + 1);
        escapeInPlace(this.buffer, { end, extra }, found);
        this.#quoted(end + extra);
        return;
      }
    }
    // Where much must be escaped, moving the pieces in between costs more than writing anew.
    this.text(JSON.stringify(escapesHalves ? text : text.toWellFormed()));
  }

  /** Ends a string whose characters lie between here and `end`. */
  #quoted(end: number): void {
    this.buffer[this.length] = quote;
    this.buffer[end] = quote;
    this.length = end + 1;
  }

  /** Makes room behind bytes that are written but not yet counted. */
  #growTo(end: number, bytes: number): void {
    const { length } = this;
    this.length = end;
    this.#reserve(bytes);
    this.length = length;
  }

  #byte(byte: number): void {
    if (this.length === this.buffer.length) this.#reserve(1);
    this.buffer[this.length] = byte;
    this.length += 1;
  }

  #reserve(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.buffer.length) return;
    const larger = Buffer.alloc(Math.max(needed, this.buffer.length * 2));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
    this.#words = wordsOf(larger);
  }
}

/** Copies a string of printable ASCII without quotes; -1 where it is not one. */
function copyPlain(text: string, to: Buffer, from: number): number {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= firstBeyondAscii || isEscaped(unit)) return -1;
    to[from + index] = unit;
  }
  return from + text.length;
}

interface Stretch {
  readonly bytes: Buffer;
  readonly words: Int32Array;
  readonly from: number;
  readonly end: number;
}

/** Notes the places to escape and returns their number; -1 where they are many for the length. */
function findEscapes({ bytes, words, from, end }: Stretch, marks: Int32Array): number {
  let count = 0;
  let at = from;
  // Judged on the way: a text that is full of escapes is left after its first lines.
  while (at < end && count <= 8 + ((at - from) >> 5) && count < marks.length - 4) {
    if ((at & 3) === 0) {
      let word = at >> 2;
      const endWord = end >> 2;
      while (word < endWord && escapesIn(words[word]!) === 0) word += 1;
      at = word << 2;
    }
    for (const stop = Math.min(end, (at | 3) + 1); at < stop; at += 1) {
      if (isEscaped(bytes[at]!)) marks[count++] = at;
    }
  }
  return at >= end ? count : -1;
}

/** How many bytes escaping adds to a byte that needs it. */
function extraOf(byte: number): number {
  return byte >= firstPrintable || letterOf(byte) !== 0 ? 1 : 5;
}

/** How many bytes escaping adds at the marked places. */
function extraBytes(bytes: Buffer, marks: Int32Array): number {
  let extra = 0;
  for (let index = 0; index < marks.length; index += 1) extra += extraOf(bytes[marks[index]!]!);
  return extra;
}

/** Escapes the marked bytes, moving what lies between them to the right from the end on. */
function escapeInPlace(
  bytes: Buffer,
  text: { readonly end: number; readonly extra: number },
  marks: Int32Array,
): void {
  let { end, extra } = text;
  for (let index = marks.length - 1; index >= 0; index -= 1) {
    const at = marks[index]!;
    const byte = bytes[at]!;
    bytes.copyWithin(at + 1 + extra, at + 1, end);
    extra -= extraOf(byte);
    addEscaped(bytes, at + extra, byte);
    end = at;
  }
}

function addEscaped(bytes: Buffer, at: number, byte: number): void {
  bytes[at] = backslash;
  if (byte >= firstPrintable) bytes[at + 1] = byte;
  else if (letterOf(byte) !== 0) bytes[at + 1] = letterOf(byte);
  else bytes.write(`u00${hex[byte >> 4]}${hex[byte & 15]}`, at + 1, "latin1");
}

/** Whether JSON.stringify would take the value apart by its own keys. */
function isPlain(value: object): boolean {
  if ("toJSON" in value) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

let texts: JsonBytes | undefined;

/** A string as JSON, made once for whoever writes or sums it several times. */
export function jsonTextOf(text: string): JsonText {
  texts ??= new JsonBytes({ loneSurrogates: "escaped", mostBytes: Number.POSITIVE_INFINITY });
  texts.restart();
  texts.value(text);
  const bytes = texts.buffer.toString("latin1", 1, texts.length - 1);
  // What one large text needed is not kept for the small ones.
  if (texts.buffer.length > limits.keptBufferBytes) texts = undefined;
  return new JsonText(bytes, text);
}
