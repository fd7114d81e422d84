/*
 * Words of a caller as an expression of FTS5. Every word is quoted, so that nothing a caller types is an operator.
 */

/** Finds what has all of the words; undefined if there are none. */
export function allWords(text: string): string | undefined {
  return expression(text, " AND ");
}

/** Finds what has any of the words, the best match first; undefined if there are none. */
export function anyWord(text: string): string | undefined {
  return expression(text, " OR ");
}

function expression(text: string, joint: string): string | undefined {
  const words = [...new Set(text.match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, 64);
  return words.length === 0 ? undefined : words.map((word) => `"${word}"`).join(joint);
}
