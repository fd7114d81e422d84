import { wordsOf } from "../../../catalog/query/words.ts";

/** Shorter parts of a word, as in `no-force-push`, would be marked all over a page. */
const leastPart = 3;

/**
 * What of a query is marked in titles and previews: its words as they are typed and their parts, the longest first; not its
 * filters, nor what is left out.
 */
export function shownWords(query: string): readonly string[] {
  const typed = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => !/^-|^[a-z]+:\S|^or$/.test(word))
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
  const parts = typed.flatMap((word) => wordsOf(word).filter(({ length }) => length >= leastPart));
  const words = new Set([...typed, ...parts].filter(({ length }) => length > 1));
  return [...words].sort((a, b) => b.length - a.length);
}
