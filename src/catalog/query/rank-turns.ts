import { asks, kindBits } from "../index/event-facts.ts";
import { eventLength } from "../index/event-weight.ts";
import { kinds, weightOf } from "../index/kind.ts";
import {
  bySource,
  type Corpus,
  eventRarities,
  type Hit,
  recency,
  saturated,
  sessionRarities,
  wholeScore,
} from "./rank.ts";
import type { Sought } from "./sought.ts";

/*
 * Which turns answer a question. A search ranks sessions; a question is answered by a turn. So the turns of all sessions
 * stand in one order: by their own words, by those of the turns beside them, most of all where the one before asks
 * something, and by what their session is about. Measured on dialogues and coding sessions (docs/bench.md).
 */

/** A turn with its score. */
export interface RankedTurn extends Hit {
  readonly score: number;
}

/** More of a word in one turn adds little; a turn that says more is not worse for it, an output is. */
const saturation = 0.6;
const byLength = { said: 0.4, other: 0.75 };
const usualLength = 28;
/** A word that nearly every turn has still says something, such as the name of who speaks. */
const leastRarity = 0.6;
/** What a turn adds to those next to it and one further, before and after. */
const besideShares = [0.4, 0.2];
const beforeMore = 1.2;
const askedMore = 1.5;
const sessionShare = 0.6;
/** A question asked in a project is mostly about it. What was said elsewhere comes before it if it says far more. */
const hereMore = 2;
/** Who speaks, where a text begins with a name that was asked about. */
const leadBonus = 2.5;

/** A call or an output repeats what was said about it: of both, what was said answers. */
const callLess = 0.5;
const calls: ReadonlySet<string> = new Set(["tool_use", "tool_result"]);

const said: ReadonlySet<string> = new Set(["user", "delegated", "assistant", "summary", "note"]);

/** The turns of all sessions, the best first; titles are none. */
export function rankTurns(
  hits: readonly Hit[],
  sought: readonly Sought[],
  {
    nowMs,
    corpus,
    here,
  }: {
    readonly nowMs: number;
    readonly corpus: Corpus;
    /** The sources of the project that the question is asked in. */
    readonly here: ReadonlySet<number>;
  },
): readonly RankedTurn[] {
  const groups = bySource(hits);
  const rarities = eventRarities(hits, sought, corpus).map((one) => Math.max(one, leastRarity));
  const ofSessions = sessionRarities([...groups.values()], sought, corpus);
  const usual = corpus.length / Math.max(1, corpus.sessions);
  const turns: RankedTurn[] = [];
  for (const [source, group] of groups) {
    const longer = corpus.lengthOf(source) / Math.max(1, usual);
    const session = sessionShare * wholeScore(group, ofSessions, longer);
    const own = group.map((hit) => ownScore(hit, rarities));
    const near = here.has(source) ? hereMore : 1;
    const places = new Map(group.map((hit, at) => [hit.place, { hit, own: own[at]! }]));
    for (const [at, hit] of group.entries()) {
      if (hit.number === "") continue;
      const beside = weightOf(hit.what & kindBits) * besideScore(places, hit.place);
      const lead = hit.leads ? leadBonus * weightOf(hit.what & kindBits) : 0;
      const recent = recency(hit.at ?? corpus.updatedMs(source) / 1000, nowMs);
      const called = calls.has(kinds[hit.what & kindBits] ?? "") ? callLess : 1;
      const score = (own[at]! + beside + session + lead) * recent * near * called;
      turns.push({ ...hit, score });
    }
  }
  return turns.sort((a, b) => b.score - a.score || (b.at ?? 0) - (a.at ?? 0) || b.place - a.place);
}

function ownScore({ counts, what }: Hit, rarities: readonly number[]): number {
  const kind = kinds[what & kindBits] ?? "system";
  const share = said.has(kind) ? byLength.said : byLength.other;
  const length = 1 - share + (share * eventLength(what)) / usualLength;
  const score = counts.reduce(
    (sum, count, at) =>
      count === 0 ? sum : sum + rarities[at]! * saturated(count, saturation, length),
    0,
  );
  return score * weightOf(what & kindBits);
}

function besideScore(
  places: ReadonlyMap<number, { readonly hit: Hit; readonly own: number }>,
  place: number,
): number {
  return besideShares.reduce((sum, share, at) => {
    const before = places.get(place - at - 1);
    const after = places.get(place + at + 1);
    const asked = at === 0 && before !== undefined && asks(before.hit.what) ? askedMore : 0;
    return sum + share * ((before?.own ?? 0) * (beforeMore + asked) + (after?.own ?? 0));
  }, 0);
}
