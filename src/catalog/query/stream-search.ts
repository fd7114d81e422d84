import type { Agent, SessionRef } from "../../agents/contract.ts";
import { timeOf } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import { AwaitedCalls } from "../index/awaited-calls.ts";
import { eventKey } from "../index/event-key.ts";
import { eventText } from "../index/event-text.ts";
import { kindNumber } from "../index/kind.ts";
import { type Evaluate, namesFile } from "./evaluate.ts";
import type { Query } from "./query.ts";
import { type FindIn, type Snippet, snippetOf } from "./snippet.ts";

/** An event that was found by reading, with its snippet at hand. */
export interface StreamedHit {
  readonly number: string;
  readonly kind: number;
  readonly at: number | null;
  readonly snippet: Snippet;
  /** Equal for copies of one event. */
  readonly key: number | undefined;
}

/** What reading one session found. */
export interface Streamed {
  readonly hits: readonly StreamedHit[];
  /** All events that match; the hits are the first of them. */
  readonly total: number;
  /** It is not as a filter wants it, whatever its events say. */
  readonly leftOut: boolean;
  readonly failed?: string;
}

/** Reads one session and evaluates every event of it. */
export async function searchSession(
  agent: Agent,
  ref: SessionRef,
  ask: { readonly query: Query; readonly evaluate: Evaluate; readonly find: FindIn },
): Promise<Streamed> {
  const files = ask.query.filters.filter(({ key }) => key === "file");
  const named = new Set<string>();
  const hits: StreamedHit[] = [];
  let calls = new AwaitedCalls();
  let total = 0;
  let failed: string | undefined;
  try {
    for await (const batch of agent.read(ref, { allBranches: true })) {
      if (batch.restart === true) {
        hits.length = 0;
        total = 0;
        named.clear();
        calls = new AwaitedCalls();
      }
      for (const event of batch.events) {
        const text = eventText(event.body, calls.toolOf(event.body));
        if (text === undefined) continue;
        for (const { value } of files) if (namesFile(text, value)) named.add(value);
        const ms = timeOf(event.at);
        if (!ask.evaluate(text, ms)) continue;
        total += 1;
        if (hits.length >= limits.rankedEvents) continue;
        hits.push({
          number: event.number,
          kind: kindNumber(text.kind),
          at: ms === undefined ? null : Math.floor(ms / 1000),
          snippet: snippetOf(text.text, ask.find),
          key: eventKey(event, text),
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
    leftOut: !passes,
    ...(failed !== undefined && { failed }),
  };
}
