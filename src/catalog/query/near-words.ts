import { limits } from "../../base/limits.ts";
import type { Connection } from "../../sqlite/connection.ts";
import type { Query, Term } from "./query.ts";

/** A word that is nowhere, and the near one that is. */
export interface Instead {
  readonly typed: string;
  readonly used: string;
}

/**
 * The query with every word the index does not have replaced by the nearest it has; undefined if there is
 * nothing to replace. Phrases and beginnings of words stay as they are.
 */
export function withNearWords(
  connection: Connection,
  query: Query,
): { readonly query: Query; readonly instead: readonly Instead[] } | undefined {
  const instead: Instead[] = [];
  const known = connection.prepare("select rowid from words where words match ? limit 1");
  const replaced = (term: Term): Term => {
    const [word] = term.words;
    if (term.words.length !== 1 || term.prefix || term.quoted) return term;
    if (word === undefined || word.length < 4) return term;
    if (known.get(`"${word}"`) !== undefined) return term;
    const near = nearestWord(connection, word);
    if (near === undefined) return term;
    instead.push({ typed: term.text, used: near });
    return { text: near, words: [near], prefix: false, quoted: false };
  };
  const clauses = query.clauses.map((clause) =>
    clause.not ? clause : { ...clause, anyOf: clause.anyOf.map(replaced) },
  );
  return instead.length === 0 ? undefined : { query: { ...query, clauses }, instead };
}

function nearestWord(connection: Connection, word: string): string | undefined {
  connection.exec(
    "create virtual table if not exists temp.vocabulary using fts5vocab(main, words, row)",
  );
  const allowed = word.length < 6 ? 1 : 2;
  // Few people mistype the first letter, and a word list is in the order of the alphabet.
  const first = word.slice(0, 1);
  // Each change takes away one letter at most; so nearly all words are ruled out before they come here.
  const letters = [...new Set(word)];
  const missing = letters.map(() => "(instr(term, ?) = 0)").join(" + ");
  const rows = connection
    .prepare(
      `select term, doc from (
         select term, doc from temp.vocabulary where term >= ? and term < ?
         and length(term) between ? and ? limit ${limits.comparedWords}
       ) where ${missing} <= ${allowed}`,
    )
    .iterate(first, `${first}\u{10ffff}`, word.length - allowed, word.length + allowed, ...letters);
  let best: { readonly term: string; readonly distance: number; readonly doc: number } | undefined;
  for (const row of rows) {
    const { term, doc } = row as { term: string; doc: number };
    const distance = editDistance(word, term, best?.distance ?? allowed);
    if (distance > allowed) continue;
    const isBetter =
      best === undefined ||
      distance < best.distance ||
      (distance === best.distance && doc > best.doc);
    if (isBetter) best = { term, distance, doc };
  }
  return best?.term;
}

/** Letters to change, add, drop or swap with their neighbour; anything over `most` is only told to be more. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let older: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) cost = Math.min(cost, older[j - 2]! + 1);
      next.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    older = row;
    row = next;
  }
  return row[b.length]!;
}
