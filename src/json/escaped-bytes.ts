/*
 * The strings of JSON as bytes, looked at four at a time, because few bytes need a backslash. What the loops
 * below use stands in this file and is not exported: such names are looked up at every use.
 */

const quote = 0x22;
const backslash = 0x5c;
/** Bytes below this one are control characters. */
const firstPrintable = 0x20;
const firstBeyondAscii = 0x80;
const hex = "0123456789abcdef";
const fourEscapes = 4 * "\\u0000".length;
/** What four bytes become at most, each of them an escape of six. */
export const mostEscapedBytes = fourEscapes;

/** Whether the first of four bytes is the lowest of the word they are. */
const lowestFirst = new Uint8Array(new Int32Array([1]).buffer)[0] === 1;

/** The same memory as bytes, four at a time, and four at any place. */
export interface Memory {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  readonly view: DataView;
}

/** All of a buffer's memory; an index into it counts from its very beginning. */
export function memoryOf(memory: ArrayBufferLike): Memory {
  const words = new Int32Array(memory, 0, memory.byteLength >> 2);
  return { bytes: new Uint8Array(memory), words, view: new DataView(memory) };
}

/**
 * Marks bytes of four that are control characters, quotes or backslashes by their top bits; zero where none
 * is. The lowest mark is right, those above it may be wrong.
 */
function escapesIn(word: number): number {
  // With the second bit turned, quotes follow the control characters. A byte below n borrows into its top
  // bit when n is taken away from it; where that bit was set before, the byte is none of these.
  const low = ((word ^ 0x02020202) - 0x21212121) | 0;
  const backslashes = ((word ^ 0x5c5c5c5c) - 0x01010101) | 0;
  return (low | backslashes) & ~word & 0x80808080;
}

/** What stands behind a backslash for a byte that must not stand alone; zero where no single letter does. */
const letters = new Uint8Array(256);
letters[0x08] = 0x62; // b
letters[0x09] = 0x74; // t
letters[0x0a] = 0x6e; // n
letters[0x0c] = 0x66; // f
letters[0x0d] = 0x72; // r
letters[quote] = quote;
letters[backslash] = backslash;

/** Copies a string of printable ASCII without quotes; where it ends, or -1 where it is not one. */
export function copyPlain(text: string, to: Uint8Array, from: number): number {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= firstBeyondAscii || unit < firstPrintable || letters[unit] !== 0) return -1;
    to[from + index] = unit;
  }
  return from + text.length;
}

/** Moves a text to an earlier place and escapes it; where it ends there, or -1 where there is too little room. */
export function moveEscaped(
  { bytes, words, view }: Memory,
  text: { readonly start: number; readonly end: number; readonly to: number },
): number {
  const { end } = text;
  let { start: at, to } = text;
  while (at < end) {
    const endWord = end >> 2;
    for (let word = at >> 2; word < endWord; word += 1) {
      const four = words[word]!;
      if (escapesIn(four) !== 0) break;
      view.setInt32(to, four, lowestFirst);
      to += 4;
      at += 4;
    }
    if (to + fourEscapes > at) return -1;
    for (const stop = Math.min(at + 4, end); at < stop; at += 1) {
      const byte = bytes[at]!;
      const letter = letters[byte]!;
      if (letter !== 0) {
        bytes[to] = backslash;
        bytes[to + 1] = letter;
        to += 2;
      } else if (byte >= firstPrintable) bytes[to++] = byte;
      else to = addControl(bytes, to, byte);
    }
  }
  return to;
}

/** Adds the escape of a control character that has no letter; returns where it ends. */
function addControl(bytes: Uint8Array, at: number, byte: number): number {
  const named = `\\u00${hex[byte >> 4]}${hex[byte & 15]}`;
  for (let index = 0; index < named.length; index += 1) bytes[at + index] = named.charCodeAt(index);
  return at + named.length;
}
