import type { Connection } from "../../sqlite/connection.ts";
import { countOf, rootOf, type SoughtTerm } from "./sought.ts";

/** Words of the index and what each counts for a term. */
export type WordCounts = ReadonlyMap<string, number>;

/** Scripts without blanks between words stand behind all others in the order of the alphabet. */
const firstUnspaced = "\u0e00";

/** The words of the index that count for any of some terms. */
export function wordsFor(connection: Connection, terms: readonly SoughtTerm[]): WordCounts {
  connection.exec(
    "create virtual table if not exists temp.vocabulary using fts5vocab(main, words, row)",
  );
  const select = connection.prepare(
    "select term from temp.vocabulary where term >= ? and term < ?",
  );
  const counts = new Map<string, number>();
  for (const term of terms) {
    if (term.kind === "phrase") continue;
    const from = rootOf(term) ?? firstUnspaced;
    const to = rootOf(term) === undefined ? last : `${from}${last}`;
    for (const row of select.iterate(from, to)) {
      const { term: word } = row as { readonly term: string };
      const count = countOf(term, word);
      if (count > (counts.get(word) ?? 0)) counts.set(word, count);
    }
  }
  return counts;
}

const last = "\u{10ffff}";
