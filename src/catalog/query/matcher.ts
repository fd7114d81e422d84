import type { EventText } from "../index/event-text.ts";
import { partsIn } from "../index/identifier-parts.ts";
import { absenceOf } from "./absence.ts";
import { hasPhrase } from "./phrase.ts";
import type { Clause, Query } from "./query.ts";
import { countOf, partCount, type Sought, soughtIn } from "./sought.ts";
import { wordsOf } from "./words.ts";

/** Counts what is looked for in the words of an event; undefined if it is not found by them. */
export type CountIn = (event: EventText, text: string) => readonly number[] | undefined;

const mostKnown = 50_000;

/** How to count what a query looks for, by the same rules as the index. */
export function counterFor(query: Query): CountIn {
  const sought = soughtIn(query);
  const unwanted = query.clauses.filter(({ not }) => not);
  const phrases = sought.flatMap(({ terms }, index) =>
    terms.flatMap((term) => (term.kind === "phrase" ? [{ index, term }] : [])),
  );
  const isSurelyAbsent = absenceOf(sought);
  const known = new Map<string, readonly (readonly [index: number, count: number])[]>();
  const countsOf = (word: string): readonly (readonly [number, number])[] => {
    let counts = known.get(word);
    if (counts === undefined) {
      counts = sought.flatMap(({ terms }, index) => {
        const most = Math.max(...terms.map((term) => countOf(term, word)));
        return most > 0 ? [[index, most] as const] : [];
      });
      if (known.size >= mostKnown) known.clear();
      known.set(word, counts);
    }
    return counts;
  };
  return (event, text) => {
    if (sought.length > 0 && isSurelyAbsent(text)) return undefined;
    const words = wordsOf(text);
    if (unwanted.some((clause) => hasClause(words, clause))) return undefined;
    const counts: number[] = Array(sought.length).fill(0);
    for (const word of words) {
      for (const [index, count] of countsOf(word)) counts[index]! += count;
    }
    for (const part of wordsOf(partsIn(event, text))) {
      for (const [index, count] of countsOf(part)) counts[index]! += count * partCount;
    }
    for (const { index, term } of phrases) {
      if (hasPhrase(words, term.words, term.prefix)) counts[index]! += 1;
    }
    return isFound(sought, counts) ? counts : undefined;
  };
}

/** Whether an event with these counts is found. */
function isFound(sought: readonly Sought[], counts: readonly number[]): boolean {
  if (sought.length === 0) return true;
  let isAny = false;
  for (const [index, { use }] of sought.entries()) {
    if (counts[index]! > 0) isAny ||= use !== "adds";
    else if (use === "must") return false;
  }
  return isAny;
}

function hasClause(words: readonly string[], { anyOf }: Clause): boolean {
  return anyOf.some((term) => hasPhrase(words, term.words, term.prefix));
}
