/*
 * Which bytes of a text JSON writes with a backslash: looked for four at a time, because most need none.
 */

export const quote = 0x22;
export const backslash = 0x5c;
/** Bytes below this one are control characters. */
export const firstPrintable = 0x20;

/** The same memory, four bytes at a time; it must begin on a word. */
export function wordsOf(memory: Uint8Array): Int32Array {
  return new Int32Array(memory.buffer, memory.byteOffset, memory.length >> 2);
}

/**
 * Marks the first of four bytes, the lowest one, that is a control character, a quote or a backslash by its
 * top bit; zero where none is. Bits above that one mean nothing.
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
] as const) {
  letters[byte] = letter.charCodeAt(0);
}

/** The letter that names a control character behind a backslash; zero where it has none. */
export function letterOf(byte: number): number {
  return letters[byte]!;
}
