import { weightOf } from "../index/kind.ts";

/** An event that was found, before its text is read. */
export interface Hit {
  readonly source: number;
  readonly number: string;
  readonly kind: number;
  /** In seconds. */
  readonly at: number | null;
  /** How well the words fit; larger is better. */
  readonly relevance: number;
}

const daySeconds = 24 * 3600;
/** After so many days a session counts half as much as one of today. */
const halfDays = 60;

/** What an event is worth: how well it fits, who said it, how long ago. */
export function scoreOf(
  hit: Hit,
  given: { readonly nowMs: number; updatedMs(source: number): number },
): number {
  const seconds = hit.at ?? given.updatedMs(hit.source) / 1000;
  const days = Math.max(0, given.nowMs / 1000 - seconds) / daySeconds;
  return hit.relevance * weightOf(hit.kind) * (0.4 + 0.6 / (1 + days / halfDays));
}

/** The events of one session, best first, with the score of the session. */
export interface Ranked {
  readonly source: number;
  readonly score: number;
  readonly newest: number;
  readonly hits: readonly Hit[];
}

/**
 * Groups events by session and orders both: the best first, or where so much was found that the best
 * cannot be told apart, the newest.
 */
export function rank(
  hits: readonly Hit[],
  given: {
    readonly nowMs: number;
    readonly newestFirst: boolean;
    updatedMs(source: number): number;
  },
): readonly Ranked[] {
  const groups = new Map<number, { hit: Hit; score: number }[]>();
  for (const hit of hits) {
    const score = scoreOf(hit, given);
    const group = groups.get(hit.source);
    if (group === undefined) groups.set(hit.source, [{ hit, score }]);
    else group.push({ hit, score });
  }
  const ranked = [...groups].map(([source, found]): Ranked => {
    found.sort((a, b) => b.score - a.score || (b.hit.at ?? 0) - (a.hit.at ?? 0));
    // More of the same adds little: a session that says it once well stands above one that repeats it.
    const score = found
      .slice(0, 8)
      .reduce((sum, { score: one }, at) => sum + one / (1 + at * 2), 0);
    const newest = found.reduce((last, { hit }) => Math.max(last, hit.at ?? 0), 0);
    return {
      source,
      score,
      newest: newest || given.updatedMs(source) / 1000,
      hits: found.map(({ hit }) => hit),
    };
  });
  return ranked.sort((a, b) =>
    given.newestFirst ? b.newest - a.newest : b.score - a.score || b.newest - a.newest,
  );
}
