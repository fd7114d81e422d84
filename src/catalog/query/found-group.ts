import type { SessionRef } from "../../agents/contract.ts";
import { limits } from "../../base/limits.ts";
import { oneLine } from "../../model/text.ts";
import { kindBits } from "../index/event-facts.ts";
import { kindNumber, kinds } from "../index/kind.ts";
import { sourceState } from "../index/schema.ts";
import { refOf, type Source } from "../index/source.ts";
import { type LookedUp, textsOf } from "./event-lookup.ts";
import type { FinderOptions, Wanted } from "./finder.ts";
import type { FoundEvent, FoundInSession } from "./found.ts";
import type { Ranked, RankedHit } from "./rank.ts";
import type { ReadSession } from "./read-session.ts";
import { factsOfSource } from "./session-filter.ts";
import { type FindIn, type Snippet, snippetOf } from "./snippet.ts";

type Showing = FinderOptions &
  Wanted & {
    readonly find: FindIn;
    /** Also the calls that results answer. */
    readonly calls: boolean;
  };

/** What was found in a session of the index. */
export async function indexedGroup(
  group: Ranked,
  source: Source,
  showing: Showing,
): Promise<FoundInSession> {
  const facts = factsOfSource(source);
  const gone = source.state === sourceState.gone;
  const { prompts } = source;
  const prompt = facts.isTitled && !gone ? (source.prompt ?? undefined) : undefined;
  const session = { ref: refOf(source), facts, gone, prompts };
  return {
    ...session,
    total: group.hits.length,
    ...(await shown(group, { ...session, prompt }, showing)),
  };
}

/** What was found in a session that was read. */
export async function readGroup(
  group: Ranked,
  { ref, facts, total, prompts, prompt }: ReadSession,
  showing: Showing,
): Promise<FoundInSession> {
  const session = { ref, facts, gone: false, prompts };
  const first = facts.isTitled ? prompt : undefined;
  return { ...session, total, ...(await shown(group, { ...session, prompt: first }, showing)) };
}

/** The events that are shown, with the texts they and the first prompt have. */
async function shown(
  { hits, score }: Ranked,
  session: {
    readonly ref: SessionRef;
    readonly facts: FoundInSession["facts"];
    readonly gone: boolean;
    /** The number of the first prompt, where the title does not say it. */
    readonly prompt: string | undefined;
  },
  showing: Showing,
): Promise<Pick<FoundInSession, "events" | "prompt" | "score">> {
  const { ref, facts, gone, prompt } = session;
  const { shownAs = asItIs } = showing;
  const some = hits.slice(0, showing.events);
  const numbers = some.map(({ number }) => number).filter((number) => number !== "");
  const wanted = prompt === undefined || showing.events === 0 ? numbers : [...numbers, prompt];
  const answers = showing.calls ? { answers: resultsIn(some) } : {};
  const texts =
    gone || wanted.length === 0
      ? new Map<string, LookedUp>()
      : await textsOf(ref, wanted, { ...showing, ...answers });
  const events = some.map((hit): FoundEvent => {
    const { text, call } = texts.get(hit.number) ?? { text: undefined, call: undefined };
    const whole = hit.number === "" ? facts.title : text;
    return {
      ...eventOf(hit, whole === undefined ? undefined : snippetOf(shownAs(whole), showing.find)),
      ...(call !== undefined && { call: oneLine(shownAs(call), limits.snippetChars) }),
    };
  });
  const said = prompt === undefined ? undefined : texts.get(prompt)?.text;
  return {
    events,
    score,
    ...(said !== undefined && { prompt: shownAs(said).slice(0, limits.snippetChars) }),
  };
}

function resultsIn(hits: readonly RankedHit[]): ReadonlySet<string> {
  const isResult = ({ what }: RankedHit): boolean =>
    (what & kindBits) === kindNumber("tool_result");
  return new Set(hits.filter(isResult).map(({ number }) => number));
}

function asItIs(text: string): string {
  return text;
}

function eventOf(hit: RankedHit, snippet: Snippet | undefined): FoundEvent {
  return {
    number: hit.number,
    kind: kinds[hit.what & kindBits] ?? "system",
    ...(hit.at !== null && { at: new Date(hit.at * 1000).toISOString() }),
    ...(snippet !== undefined && { snippet }),
    score: hit.score,
  };
}
