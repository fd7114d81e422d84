import type { SessionRef } from "../../agents/contract.ts";
import { limits } from "../../base/limits.ts";
import { withoutInjected } from "../../model/injected.ts";
import { kindBits } from "../index/event-facts.ts";
import { type Kind, kinds } from "../index/kind.ts";
import { sourceState } from "../index/schema.ts";
import { refOf } from "../index/source.ts";
import { type LookedUp, textsOf } from "./event-lookup.ts";
import type { FinderOptions, Ground } from "./finder.ts";
import type { Freshness } from "./found.ts";
import { type Gathered, gatherHits } from "./gather-hits.ts";
import type { Filter } from "./query.ts";
import { rankTurns } from "./rank-turns.ts";
import { understandQuestion } from "./request.ts";
import { factsOfSource, type SessionFacts } from "./session-filter.ts";
import type { FindIn } from "./snippet.ts";
import { sourcesHere } from "./sources-here.ts";

/** What is asked, and how many turns may answer. */
export interface Question {
  /** Words as they are: nothing in them is an operator. */
  readonly text: string;
  readonly filters?: readonly Filter[];
  readonly turns?: number;
}

/** A turn of a session that may answer a question. */
export interface FoundTurn {
  readonly ref: SessionRef;
  readonly facts: SessionFacts;
  /** Names it behind `ref@`. */
  readonly number: string;
  readonly kind: Kind;
  readonly at?: string;
  /** All that was said, up to a bound; without what this project put in. */
  readonly text: string;
  readonly score: number;
}

/** The turns that answer a question best, best first. */
export interface FoundTurns {
  readonly turns: readonly FoundTurn[];
  /** What words were looked for. */
  readonly sought: readonly string[];
  /** Finds them in a text. */
  readonly find: FindIn;
  readonly freshness: Freshness;
  readonly notes: readonly string[];
}

/** The turns of every session that answer a question best, with their texts. Those that can no longer be read are left out. */
export async function findTurns(
  ground: Ground,
  { text, filters = [], turns: most = limits.recalledTurns }: Question,
  options: FinderOptions,
): Promise<FoundTurns> {
  const asked = understandQuestion(text, filters);
  const gathered = await gatherHits(ground, asked, { ...options, most: limits.rankedTurns });
  const { hits, sought, corpus, freshness } = gathered;
  const here = await sourcesHere(ground, gathered, options.env.cwd);
  const { nowMs } = options;
  const ranked = rankTurns(hits, sought, { nowMs, corpus, here }).slice(0, most);
  const bySession = new Map<number, string[]>();
  for (const { source, number } of ranked)
    bySession.set(source, [...(bySession.get(source) ?? []), number]);
  const texts = new Map<number, ReadonlyMap<string, LookedUp>>();
  const sessions = new Map<number, Pick<FoundTurn, "ref" | "facts">>();
  for (const [source, numbers] of bySession) {
    const session = sessionOf(source, gathered);
    if (session === undefined) continue;
    sessions.set(source, session);
    texts.set(
      source,
      await textsOf(session.ref, numbers, { find: asked.find, agent: options.agent }),
    );
  }
  const turns = ranked.flatMap(({ source, number, what, at, score }): FoundTurn[] => {
    const session = sessions.get(source);
    const whole = texts.get(source)?.get(number)?.text;
    const said = whole === undefined ? "" : withoutInjected(whole).trim();
    if (session === undefined || said === "") return [];
    return [
      {
        ...session,
        number,
        kind: kinds[what & kindBits] ?? "system",
        ...(at !== null && { at: new Date(at * 1000).toISOString() }),
        text: said.slice(0, limits.recalledTextChars),
        score,
      },
    ];
  });
  return {
    turns,
    sought: sought.map((one) => one.text),
    find: asked.find,
    freshness,
    notes: ground.notes,
  };
}

/** The session of a source; undefined if it is gone. */
function sessionOf(
  source: number,
  { read, sourceOf }: Gathered,
): Pick<FoundTurn, "ref" | "facts"> | undefined {
  if (source < 0) {
    const { ref, facts } = read[-1 - source]!;
    return { ref, facts };
  }
  const row = sourceOf(source);
  if (row.state === sourceState.gone) return undefined;
  return { ref: refOf(row), facts: factsOfSource(row) };
}
