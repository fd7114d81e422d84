import { limits } from "../../base/limits.ts";
import type { Connection } from "../../sqlite/connection.ts";
import { phraseExpression } from "./match-expression.ts";
import { partCount, type Sought } from "./sought.ts";
import { type WordOfIndex, wordsFor } from "./vocabulary.ts";

/*
 * Where a thing that is looked for stands. SQLite gives the places of a word as two lists of JSON: a row for each of them
 * took ten times as long, and of a word that everybody says most are never looked at again.
 */

/** The places of one word or phrase: the events in the order of their numbers, one as often as it has it. */
export interface Posting {
  readonly events: readonly number[];
  /** How it stands at each place; absent for a phrase. */
  readonly places?: readonly number[];
  /** What it counts for the thing that is looked for. */
  readonly count: number;
}

/** How a word stands in a text: as a part of a name, anywhere, or at the beginning. */
const standing = { part: 0, inside: 1, first: 2 } as const;

/**
 * Where each thing stands that is looked for, by the words and phrases that it may be. With `most`, what stands in so many
 * places that all together are more is left out, the commonest first; the rarest thing never is.
 */
export function postingsOf(
  connection: Connection,
  sought: readonly Sought[],
  { most }: { readonly most: number },
): readonly (readonly Posting[])[] {
  connection.exec(
    "create virtual table if not exists temp.instance using fts5vocab(main, words, instance)",
  );
  const words = sought.map(({ terms }) => wordsFor(connection, terms));
  const places = words.map((some) => some.reduce((sum, one) => sum + one.places, 0));
  const rarestFirst = sought.map((_, at) => at).sort((a, b) => places[a]! - places[b]!);
  const taken = new Set<number>();
  let sum = 0;
  for (const at of rarestFirst) {
    sum += places[at]!;
    if (taken.size === 0 || sum <= most) taken.add(at);
  }
  return sought.map(({ terms }, at) =>
    taken.has(at)
      ? [
          ...words[at]!.map((one) => wordPosting(connection, one)),
          ...terms.flatMap((term) =>
            term.kind === "phrase" ? [phrasePosting(connection, term)] : [],
          ),
        ]
      : [],
  );
}

function wordPosting(connection: Connection, { word, count }: WordOfIndex): Posting {
  const row = connection
    .keep(
      `select json_group_array(doc) as events, json_group_array(place) as places from (
         select doc, iif(col = 'parts', ${standing.part}, iif(offset = 0, ${standing.first}, ${standing.inside})) as place
         from temp.instance where term = ? limit ${limits.rankedEvents}
       )`,
    )
    .get(word) as { readonly events: string; readonly places: string };
  return { events: JSON.parse(row.events), places: JSON.parse(row.places), count };
}

function phrasePosting(
  connection: Connection,
  { words, prefix }: { readonly words: readonly string[]; readonly prefix: boolean },
): Posting {
  const row = connection
    .keep(
      `select json_group_array(id) as events from (
         select rowid as id from words where words match ? limit ${limits.rankedEvents}
       )`,
    )
    .get(phraseExpression(words.join(" "), prefix)) as { readonly events: string };
  return { events: JSON.parse(row.events), count: 1 };
}

/** What a thing counts at a place. */
export function countAt({ places, count }: Posting, at: number): number {
  return places?.[at] === standing.part ? count * partCount : count;
}

/** Whether an event begins with it. */
export function leadsAt({ places }: Posting, at: number): boolean {
  return places?.[at] === standing.first;
}
