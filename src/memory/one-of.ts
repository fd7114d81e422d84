/** The value if it is one of the words, else undefined. */
export function asOneOf<Word extends string>(
  value: unknown,
  words: readonly Word[],
): Word | undefined {
  return words.find((word) => word === value);
}
