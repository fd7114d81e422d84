import type { Connection } from "../../sqlite/connection.ts";
import { countOf, rootOf, type SoughtTerm } from "./sought.ts";

/** A word of the index: what it counts for a term, and in how many places it stands. */
export interface WordOfIndex {
  readonly word: string;
  readonly count: number;
  readonly places: number;
}

/** Scripts without blanks between words stand behind all others in the order of the alphabet. */
const firstUnspaced = "\u0e00";

/** The words of the index that count for any of some terms. */
export function wordsFor(
  connection: Connection,
  terms: readonly SoughtTerm[],
): readonly WordOfIndex[] {
  connection.exec(
    "create virtual table if not exists temp.vocabulary using fts5vocab(main, words, row)",
  );
  const select = connection.prepare(
    "select term, cnt from temp.vocabulary where term >= ? and term < ?",
  );
  const words = new Map<string, WordOfIndex>();
  for (const term of terms) {
    if (term.kind === "phrase") continue;
    const from = rootOf(term) ?? firstUnspaced;
    const to = rootOf(term) === undefined ? last : `${from}${last}`;
    for (const row of select.iterate(from, to)) {
      const { term: word, cnt: places } = row as { readonly term: string; readonly cnt: number };
      const count = countOf(term, word);
      if (count > (words.get(word)?.count ?? 0)) words.set(word, { word, count, places });
    }
  }
  return [...words.values()];
}

const last = "\u{10ffff}";
