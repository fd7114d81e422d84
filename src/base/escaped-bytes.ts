/*
 * Which bytes of a text JSON writes with a backslash: looked for four at a time, because most need none.
 */

export const quote = 0x22;
export const backslash = 0x5c;
/** Bytes below this one are control characters. */
export const firstPrintable = 0x20;

/** Whether the first of four bytes is the lowest of the word they are. */
export const littleEndian = new Uint8Array(new Int32Array([1]).buffer)[0] === 1;

/** The same memory, four bytes at a time; it must begin on a word. */
export function wordsOf(memory: Uint8Array): Int32Array {
  return new Int32Array(memory.buffer, memory.byteOffset, memory.length >> 2);
}

/**
 * Marks bytes of four that are control characters, quotes or backslashes by their top bits; zero where none
 * is. The lowest mark is right, those above it may be wrong.
 */
export function escapesIn(word: number): number {
  // With the second bit turned, quotes follow the control characters. A byte below n borrows into its top
  // bit when n is taken away from it; where that bit was set before, the byte is none of these.
  const low = ((word ^ 0x02020202) - 0x21212121) | 0;
  const backslashes = ((word ^ 0x5c5c5c5c) - 0x01010101) | 0;
  return (low | backslashes) & ~word & 0x80808080;
}

/** Whether a byte stands in JSON only behind a backslash. */
export function isEscaped(byte: number): boolean {
  return byte < firstPrintable || byte === quote || byte === backslash;
}

const letters = new Uint8Array(256);
for (const [byte, letter] of [
  [8, "b"],
  [9, "t"],
  [10, "n"],
  [12, "f"],
  [13, "r"],
  [quote, '"'],
  [backslash, "\\"],
] as const) {
  letters[byte] = letter.charCodeAt(0);
}

/** What stands behind a backslash for a byte that must not stand alone; zero where no single letter does. */
export function letterOf(byte: number): number {
  return letters[byte]!;
}
