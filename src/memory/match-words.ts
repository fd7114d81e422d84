import { isStopWord } from "../catalog/query/stop-words.ts";

/*
 * Words of a caller as an expression of FTS5. Every word is quoted, so that nothing a caller types is an operator.
 */

/** Finds what has all of the words; undefined if there are none. */
export function allWords(text: string): string | undefined {
  return joined(wordsIn(text), " AND ");
}

/**
 * Finds what has any of the words, the best match first. Words that nearly every text has count only if there are no
 * others, and so do words beyond those that are found in so many entries together.
 */
export function anyWord(
  text: string,
  { countOf, most }: { countOf(word: string): number; readonly most: number },
): string | undefined {
  const all = wordsIn(text);
  const telling = all.filter((word) => !isStopWord(word.toLowerCase()));
  const counted = (telling.length === 0 ? all : telling)
    .map((word) => ({ word, count: countOf(`"${word}"`) }))
    .sort((a, b) => a.count - b.count);
  let sum = 0;
  const kept = counted.filter(({ count }, at) => {
    sum += count;
    return at === 0 || sum <= most;
  });
  return joined(
    kept.map(({ word }) => word),
    " OR ",
  );
}

function wordsIn(text: string): readonly string[] {
  return [...new Set(text.match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, 64);
}

function joined(words: readonly string[], joint: string): string | undefined {
  return words.length === 0 ? undefined : words.map((word) => `"${word}"`).join(joint);
}
