import type { Agent, SessionRef } from "../../agents/contract.ts";
import { timeOf } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import { isSessionPrompt } from "../../model/prompt.ts";
import { callFiles } from "../blame/call-files.ts";
import { AwaitedCalls } from "../index/awaited-calls.ts";
import { isInjected, whatOf } from "../index/event-facts.ts";
import { eventKey } from "../index/event-key.ts";
import { eventText } from "../index/event-text.ts";
import { isPrompt, sessionLength } from "../index/event-weight.ts";
import { AnsweredCalls } from "./answered-calls.ts";
import type { Evaluate, Mode } from "./evaluate.ts";
import { worksOn } from "./file-path.ts";
import type { Query } from "./query.ts";
import type { Hit } from "./rank.ts";
import { type FindIn, type Snippet, snippetOf } from "./snippet.ts";
import { leadsWith, soughtIn } from "./sought.ts";

/** An event that was found by reading. */
export interface StreamedHit extends Omit<Hit, "source"> {
  /** At hand where a text was looked for as it is: words are read again for theirs. */
  readonly snippet?: Snippet;
  /** The call that a result answers, likewise. */
  readonly call?: string;
  /** Equal for copies of one event. */
  readonly key: number | undefined;
}

/** An event that is searched, found or not. */
export interface SearchedText {
  readonly key: number | undefined;
  readonly length: number;
}

/** What reading one session found. */
export interface Streamed {
  readonly hits: readonly StreamedHit[];
  /** All events that match; the hits are the first of them. */
  readonly total: number;
  /** Everything that is searched by its words. */
  readonly texts: readonly SearchedText[];
  /** How many prompts it has, and the number of the first thing that a person said. */
  readonly prompts: number;
  readonly prompt: string | undefined;
  /** It is not as a filter wants it, whatever its events say. */
  readonly leftOut: boolean;
  readonly failed?: string;
}

/** Reads one session and evaluates every event of it. */
export async function searchSession(
  agent: Agent,
  ref: SessionRef,
  ask: {
    readonly query: Query;
    readonly mode: Mode;
    readonly evaluate: Evaluate;
    readonly find: FindIn;
    readonly isOfSubagent: boolean;
    /** Where the session ran. */
    readonly cwd: string | undefined;
  },
): Promise<Streamed> {
  const files = ask.query.filters.filter(({ key }) => key === "file");
  const sought = soughtIn(ask.query);
  const named = new Set<string>();
  const hits: StreamedHit[] = [];
  const texts: SearchedText[] = [];
  let prompts = 0;
  let prompt: string | undefined;
  let calls = new AwaitedCalls();
  const answered = ask.mode.kind === "pattern" ? new AnsweredCalls(agent.tools) : undefined;
  let total = 0;
  let failed: string | undefined;
  try {
    for await (const batch of agent.read(ref, { allBranches: true })) {
      if (batch.restart === true) {
        hits.length = 0;
        texts.length = 0;
        total = 0;
        prompts = 0;
        prompt = undefined;
        named.clear();
        calls = new AwaitedCalls();
      }
      for (const event of batch.events) {
        if (isSessionPrompt(event)) prompts += 1;
        const call = answered?.callOf(event.body);
        const text = eventText(event.body, {
          dialect: agent.tools,
          callTool: calls.toolOf(event.body),
          isOfSubagent: ask.isOfSubagent || event.sidechain !== undefined,
        });
        if (text === undefined) continue;
        const what = whatOf(text);
        const key = eventKey(event, text);
        const place = texts.length;
        if (!isInjected(text)) texts.push({ key, length: sessionLength(what) });
        if (isPrompt(what)) prompt ??= event.number;
        const touched = files.length === 0 ? [] : callFiles(event.body, agent.tools);
        const isOn = (path: string): boolean => worksOn(touched, path, ask.cwd);
        for (const { value } of files) if (isOn(value)) named.add(value);
        const ms = timeOf(event.at);
        const counts = ask.evaluate(text, ms, isOn);
        if (counts === undefined) continue;
        total += 1;
        if (hits.length >= limits.rankedEvents) continue;
        hits.push({
          number: event.number,
          place,
          what,
          at: ms === undefined ? null : Math.floor(ms / 1000),
          counts,
          leads: leadsWith(sought, text.text),
          key,
          ...(ask.mode.kind === "pattern" && { snippet: snippetOf(text.text, ask.find) }),
          ...(call !== undefined && { call }),
        });
      }
    }
  } catch (error) {
    failed = error instanceof Error ? error.message : String(error);
  }
  const passes = files.every(({ value, not }) => named.has(value) !== not);
  return {
    hits: passes ? hits : [],
    total: passes ? total : 0,
    texts,
    prompts,
    prompt,
    leftOut: !passes,
    ...(failed !== undefined && { failed }),
  };
}
