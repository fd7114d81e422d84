import { kindBits } from "../index/event-facts.ts";
import { eventLength } from "../index/event-weight.ts";
import { shareOf, weightOf } from "../index/kind.ts";
import type { Sought } from "./sought.ts";

/*
 * How well sessions fit a query. An event scores by BM25: rare words count more, a word said twice not twice as much,
 * a long text less. A session scores by its best few events and, by BM25 again, as one text; among sessions that fit
 * nearly alike the newer one comes first.
 */

/** An event that was found, before its text is read. */
export interface Hit {
  readonly source: number;
  readonly number: string;
  /** How many events of its session come before it. */
  readonly place: number;
  /** Its kind, its facts and its length: see `whatOf`. */
  readonly what: number;
  /** In seconds. */
  readonly at: number | null;
  /** How often it has each thing that is looked for. */
  readonly counts: readonly number[];
  /** Whether it begins with one of them, as with the name of who speaks. */
  readonly leads: boolean;
}

/** What an event's score is made of. */
export interface EventScore {
  readonly total: number;
  /** For each thing that is looked for. */
  readonly words: readonly number[];
  /** What the events beside it add. */
  readonly beside: number;
  /** What its session adds. */
  readonly session: number;
}

/** What a session's score is made of. */
export interface SessionScore {
  readonly total: number;
  /** Of its best events. */
  readonly best: number;
  /** Of all its words together. */
  readonly whole: number;
  /** What being recent multiplies it with. */
  readonly recent: number;
}

/** A hit with its score. */
export interface RankedHit extends Hit {
  readonly score: EventScore;
}

/** The events of one session, best first, with the score of the session. */
export interface Ranked {
  readonly source: number;
  readonly score: SessionScore;
  readonly newest: number;
  readonly hits: readonly RankedHit[];
}

/** What is searched, all in all. */
export interface Corpus {
  readonly events: number;
  readonly sessions: number;
  /** About how many words all sessions have. */
  readonly length: number;
  /** How many events besides the hits have each thing that is looked for; none unless given. */
  readonly left?: readonly number[];
  lengthOf(source: number): number;
  updatedMs(source: number): number;
  /** What decides between sessions that are alike in all else. */
  nameOf(source: number): string;
}

/** How soon more of a word adds nothing, and how much a long text counts less. */
const event = { saturation: 1.2, byLength: 0.75, usualLength: 28 };
const session = { saturation: 1.2, byLength: 0.75 };
/** What the best events of a session count, one after the other. */
const bestShares = [1, 0.3, 0.09, 0.027];
/** What the events next to an event count for it, and those one further. */
const besideShares = [0.4, 0.2];
/** What a session counts for each of its events. */
const sessionShare = 0.4;
const recentMost = 0.03;
const recentHalfDays = 30;
const daySeconds = 24 * 3600;

/** Groups events by session and orders both, the best first; where no words are looked for, the newest. */
export function rank(
  hits: readonly Hit[],
  sought: readonly Sought[],
  given: { readonly nowMs: number; readonly corpus: Corpus },
): readonly Ranked[] {
  const { corpus } = given;
  const groups = bySource(hits);
  const eventRarity = eventRarities(hits, sought, corpus);
  const sessionRarity = sessionRarities([...groups.values()], sought, corpus);
  const usual = corpus.length / Math.max(1, corpus.sessions);
  const ranked = [...groups].map(([source, group]): Ranked => {
    const words = group.map((hit) => wordScores(hit, eventRarity));
    const own = words.map((scores) => scores.reduce((sum, one) => sum + one, 0));
    const best = own
      .toSorted((a, b) => b - a)
      .slice(0, bestShares.length)
      .reduce((sum, one, at) => sum + one * bestShares[at]!, 0);
    const whole = wholeScore(group, sessionRarity, corpus.lengthOf(source) / Math.max(1, usual));
    const newest = group.reduce((last, { at }) => Math.max(last, at ?? 0), 0);
    const recent = recency(newest || corpus.updatedMs(source) / 1000, given.nowMs);
    const byPlace = new Map(group.map(({ place }, at) => [place, own[at]!]));
    const ordered = group
      .map((hit, at): RankedHit => {
        const beside = weightOf(hit.what & kindBits) * besideScore(byPlace, hit.place);
        const ofSession = sessionShare * whole;
        const total = own[at]! + beside + ofSession;
        return { ...hit, score: { total, words: words[at]!, beside, session: ofSession } };
      })
      .sort(
        (a, b) => b.score.total - a.score.total || (b.at ?? 0) - (a.at ?? 0) || b.place - a.place,
      );
    const total = (best + whole) * recent;
    const updated = corpus.updatedMs(source) / 1000;
    return {
      source,
      score: { total, best, whole, recent },
      newest: newest || updated,
      hits: ordered,
    };
  });
  const byName = (a: number, b: number): number => (corpus.nameOf(a) < corpus.nameOf(b) ? -1 : 1);
  return ranked.sort(
    (a, b) => b.score.total - a.score.total || b.newest - a.newest || byName(a.source, b.source),
  );
}

/** Hits by the session they stand in. */
export function bySource(hits: readonly Hit[]): ReadonlyMap<number, readonly Hit[]> {
  const groups = new Map<number, Hit[]>();
  for (const hit of hits) {
    const group = groups.get(hit.source);
    if (group === undefined) groups.set(hit.source, [hit]);
    else group.push(hit);
  }
  return groups;
}

/** How much each thing that is looked for says one event from others. */
export function eventRarities(
  hits: readonly Hit[],
  sought: readonly Sought[],
  { events, left }: Pick<Corpus, "events" | "left">,
): readonly number[] {
  return sought.map(
    (one, index) => one.weight * rarity(countHaving(hits, index) + (left?.[index] ?? 0), events),
  );
}

/** How much each thing that is looked for says one session from others; what is left lies in as many in proportion. */
export function sessionRarities(
  groups: readonly (readonly Hit[])[],
  sought: readonly Sought[],
  { sessions, left }: Pick<Corpus, "sessions" | "left">,
): readonly number[] {
  return sought.map((one, index) => {
    const counts = groups.map((group) => countHaving(group, index));
    const having = counts.filter((count) => count > 0).length;
    const events = counts.reduce((sum, count) => sum + count, 0);
    const all = having * (1 + (left?.[index] ?? 0) / Math.max(1, events));
    return one.weight * rarity(Math.min(all, sessions), sessions);
  });
}

/** How many of some events have a thing. */
export function countHaving(hits: readonly Hit[], index: number): number {
  let having = 0;
  for (const { counts } of hits) if (counts[index]! > 0) having += 1;
  return having;
}

/** How much a thing says that so many of all have. */
export function rarity(having: number, all: number): number {
  return Math.log(1 + (Math.max(0, all - having) + 0.5) / (having + 0.5));
}

/** What so many of a thing count in a text of a length, 1 being the usual one. */
export function saturated(count: number, saturation: number, length: number): number {
  return (count * (saturation + 1)) / (count + saturation * length);
}

/** What each thing that is looked for gives an event. */
function wordScores({ counts, what }: Hit, rarities: readonly number[]): readonly number[] {
  const { saturation, byLength, usualLength } = event;
  const length = 1 - byLength + (byLength * eventLength(what)) / usualLength;
  const weight = weightOf(what & kindBits);
  return counts.map((count, index) =>
    count === 0 ? 0 : weight * rarities[index]! * saturated(count, saturation, length),
  );
}

/** What all events of a session give it together; `longer` is how much longer it is than others. */
export function wholeScore(
  group: readonly Hit[],
  rarities: readonly number[],
  longer: number,
): number {
  const { saturation, byLength } = session;
  const length = 1 - byLength + byLength * longer;
  let score = 0;
  for (const [index, rare] of rarities.entries()) {
    const count = group.reduce(
      (sum, { counts, what }) => sum + counts[index]! * shareOf(what & kindBits),
      0,
    );
    if (count > 0) score += rare * saturated(count, saturation, length);
  }
  return score;
}

function besideScore(byPlace: ReadonlyMap<number, number>, place: number): number {
  return besideShares.reduce((sum, share, at) => {
    const [before, after] = [byPlace.get(place - at - 1) ?? 0, byPlace.get(place + at + 1) ?? 0];
    return sum + share * (before + after);
  }, 0);
}

/** What being recent multiplies a score with. */
export function recency(seconds: number, nowMs: number): number {
  const days = Math.max(0, nowMs / 1000 - seconds) / daySeconds;
  return 1 + recentMost / (1 + days / recentHalfDays);
}
