import { RepriseError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import {
  copyPlain,
  type Memory,
  memoryOf,
  mostEscapedBytes,
  moveEscaped,
} from "./escaped-bytes.ts";

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
/** A code unit is at most three bytes of UTF-8; a pair of them is four. */
const mostBytesPerUnit = 3;
/** Strings up to this length are copied character by character: a call into the system costs more. */
const shortString = 40;
/** What stands in UTF-8 where a text has half a character. */
const unknownCharacter = "\ufffd";

/** How JSON is written. */
export interface JsonBytesOptions {
  /** Half a character: JSON can name it by an escape, or it becomes U+FFFD as in any UTF-8. */
  readonly loneSurrogates: "escaped" | "replaced";
  /** Strings after so many bytes are refused. */
  readonly mostBytes: number;
}

/**
 * Writes values as JSON straight into one growing buffer: the bytes are those of `JSON.stringify`. For texts
 * it costs about a third, because most of their bytes need no escaping and are moved four at a time.
 */
export class JsonBytes {
  /** What was written so far lies before `length`; another buffer takes its place when it grows. */
  buffer: Buffer = Buffer.alloc(64 * 1024);
  length = 0;
  readonly #options: JsonBytesOptions;
  #memory: Memory = memoryOf(this.buffer.buffer);

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

  /** Writes the text as UTF-8 a little further on, then moves it here, with a backslash where one is due. */
  #longString(text: string): void {
    const spare = 2 * mostEscapedBytes + (text.length >> 3);
    this.#reserve(spare + text.length * mostBytesPerUnit);
    const start = (this.length + spare) & ~3;
    const end = start + this.buffer.write(text, start);
    const { loneSurrogates } = this.#options;
    const halved =
      loneSurrogates === "escaped" &&
      this.buffer.subarray(start, end).includes(unknownCharacter) &&
      !text.isWellFormed();
    const stop = halved ? -1 : moveEscaped(this.#memory, { start, end, to: this.length + 1 });
    if (stop >= 0) this.#quoted(stop);
    // Half a character, or so much to escape that what is written would reach what is still to be read.
    else this.text(JSON.stringify(loneSurrogates === "escaped" ? text : text.toWellFormed()));
  }

  /** Ends a string whose characters lie between here and `end`. */
  #quoted(end: number): void {
    this.buffer[this.length] = quote;
    this.buffer[end] = quote;
    this.length = end + 1;
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
    this.#memory = memoryOf(larger.buffer);
  }
}

/** Whether JSON.stringify would take the value apart by its own keys. */
function isPlain(value: object): boolean {
  if ("toJSON" in value) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
