import { sourceState } from "../index/schema.ts";
import type { FinderOptions, Ground, Wanted } from "./finder.ts";
import type { Found, FoundInSession } from "./found.ts";
import { indexedGroup, readGroup } from "./found-group.ts";
import { gatherHits } from "./gather-hits.ts";
import { byTime, wholeOf } from "./order.ts";
import { asksTools } from "./query.ts";
import { type Ranked, rank } from "./rank.ts";
import type { Understood } from "./request.ts";
import { wordFinder } from "./snippet.ts";

type Options = FinderOptions & Wanted;

/** Answers by the index, and by reading what it does not have; misspelt words are tried as near ones. */
export async function searchWords(
  ground: Ground,
  asked: Understood,
  options: Options,
): Promise<Found> {
  const first = await answer(ground, asked, options);
  if (first.sessions.length > 0 || ground.catalog === undefined) return first;
  const { withNearWords } = await import("./near-words.ts");
  const near = withNearWords(ground.catalog.connection, asked.query);
  if (near === undefined) return first;
  const again = { ...asked, query: near.query, find: wordFinder(near.query) };
  const second = await answer(ground, again, options);
  return second.sessions.length === 0 ? first : { ...second, instead: near.instead };
}

async function answer(ground: Ground, asked: Understood, options: Options): Promise<Found> {
  const gathered = await gatherHits(ground, asked, options);
  const { hits, sought, corpus, read, sourceOf, more, freshness } = gathered;
  const isGone = ({ source }: Ranked): boolean =>
    source >= 0 && sourceOf(source).state === sourceState.gone;
  const all = rank(hits, sought, { nowMs: options.nowMs, corpus });
  const whole = wholeOf(all, sought);
  const ranked =
    options.order === "best"
      ? // What can still be opened comes first.
        [...all.filter((group) => !isGone(group)), ...all.filter(isGone)]
      : byTime(all, options.order, whole);
  const sessions: FoundInSession[] = [];
  const showing = { ...options, find: asked.find, calls: asksTools(asked.query) };
  for (const group of ranked.slice(0, options.sessions)) {
    const found =
      group.source < 0
        ? await readGroup(group, read[-1 - group.source]!, showing)
        : await indexedGroup(group, sourceOf(group.source), showing);
    sessions.push(sought.length === 0 ? withoutScores(found) : found);
  }
  return {
    sessions,
    totalSessions: ranked.length,
    more,
    order: options.order,
    newestFirst: options.order === "newest" || (options.order === "best" && sought.length === 0),
    ...(whole !== undefined && { haveAll: whole.sessions }),
    ...(ranked.length < all.length && { leftOut: all.length - ranked.length }),
    sought: sought.map(({ text }) => text),
    instead: [],
    freshness,
    notes: ground.notes,
  };
}

function withoutScores({ score: _score, events, ...session }: FoundInSession): FoundInSession {
  return { ...session, events: events.map(({ score: _of, ...event }) => event) };
}
