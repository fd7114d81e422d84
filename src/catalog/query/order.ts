import type { Ranked, RankedHit } from "./rank.ts";
import type { Sought } from "./sought.ts";

export const orders = ["best", "newest", "oldest"] as const;

/** An order of an answer: by how well sessions match, or by the time of what was found in them. */
export type Order = (typeof orders)[number];

/** An order of time. */
export type TimeOrder = Exclude<Order, "best">;

/** What of an answer has every word that was looked for. */
export interface Whole {
  /** Says whether an event has all of them. */
  isIn(hit: Pick<RankedHit, "counts">): boolean;
  /** How many of the sessions have all of them, in one event or in several. */
  readonly sessions: number;
}

/** Which of the sessions have every word; undefined where fewer than two were looked for. */
export function wholeOf(ranked: readonly Ranked[], sought: readonly Sought[]): Whole | undefined {
  const asked = sought.flatMap(({ use, weight }, at) =>
    use !== "adds" && weight === 1 ? [at] : [],
  );
  if (asked.length < 2) return undefined;
  const isIn: Whole["isIn"] = ({ counts }) => asked.every((at) => counts[at]! > 0);
  const hasAll = ({ hits }: Ranked): boolean =>
    asked.every((at) => hits.some(({ counts }) => counts[at]! > 0));
  return { isIn, sessions: ranked.filter(hasAll).length };
}

/**
 * Sessions by the time of what was found, and what was found in each likewise. Where any place has every word, the places
 * that have only some do not count: they would come first or last for their time alone.
 */
export function byTime(
  ranked: readonly Ranked[],
  order: TimeOrder,
  whole: Whole | undefined,
): readonly Ranked[] {
  const kept = ranked.flatMap((group) => {
    const hits = whole === undefined ? group.hits : group.hits.filter(whole.isIn);
    return hits.length === 0 ? [] : [{ ...group, hits }];
  });
  return inTime(kept.length > 0 ? kept : ranked, order, ({ newest }) => newest);
}

/** Groups of events in an order of time, each with its events in this order; `otherwise` is the time of one without. */
export function inTime<
  Event extends { readonly at: number | null },
  Group extends { readonly hits: readonly Event[] },
>(groups: readonly Group[], order: TimeOrder, otherwise: (group: Group) => number): Group[] {
  const sign = signs[order];
  return groups
    .map((group) => {
      const hits = hitsInTime(group.hits, order);
      return { group: { ...group, hits }, key: sign * (hits[0]?.at ?? otherwise(group)) };
    })
    .sort((a, b) => compared(a.key, b.key))
    .map(({ group }) => group);
}

/** Events in an order of time; those without a time come last. */
export function hitsInTime<Event extends { readonly at: number | null }>(
  hits: readonly Event[],
  order: TimeOrder,
): Event[] {
  const keyOf = ({ at }: Event): number =>
    at === null ? Number.POSITIVE_INFINITY : signs[order] * at;
  return hits.toSorted((a, b) => compared(keyOf(a), keyOf(b)));
}

const signs = { newest: -1, oldest: 1 } as const;

function compared(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
