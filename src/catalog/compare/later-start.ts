import type { AgentEvent } from "../../agents/contract.ts";
import type { ToolDialect } from "../../model/tool-dialect.ts";
import { isSame, type Said, saidIn } from "./said.ts";

/** Where one branch has what the other one begins with, as a copy that was shortened begins with later turns. */
export interface LaterStart {
  /** The branch that begins later, 0 or 1. */
  readonly side: 0 | 1;
  /** The first event of each that both have. */
  readonly from: readonly [string, string];
  /** Whether a summary of what came before stands first in it. */
  readonly hasSummary: boolean;
}

type Read = () => AsyncIterable<AgentEvent>;

/** So many things said in a row must be the same: one alone, such as `continue`, may be chance. */
const neededInRow = 2;

/** Finds where one branch goes along with the beginning of the other; a pass of each, nothing is held of them. */
export async function laterStart(
  reads: readonly [Read, Read],
  dialects: readonly ToolDialect[],
): Promise<LaterStart | undefined> {
  for (const side of [1, 0] as const) {
    const { said, hasSummary } = await beginningOf(reads[side](), dialects);
    const there = await placeOf(said, { events: reads[side === 1 ? 0 : 1](), dialects });
    if (there === undefined) continue;
    const here = said[0]!.event.number;
    return { side, from: side === 1 ? [there, here] : [here, there], hasSummary };
  }
  return undefined;
}

/** How our summary begins where an agent can only be given it as a prompt. */
const summaryPrompt = "user # Summary\n";

interface Beginning {
  readonly said: readonly Said[];
  readonly hasSummary: boolean;
}

async function beginningOf(
  events: AsyncIterable<AgentEvent>,
  dialects: readonly ToolDialect[],
): Promise<Beginning> {
  const said: Said[] = [];
  let hasSummary = false;
  for await (const event of events) {
    const { body } = event;
    if (said.length === 0 && body.type === "compaction") hasSummary = true;
    const one = saidIn(event, dialects);
    if (one === undefined) continue;
    if (said.length === 0 && !hasSummary && one.said.startsWith(summaryPrompt)) hasSummary = true;
    else said.push(one);
    if (said.length === neededInRow) break;
  }
  return { said, hasSummary };
}

/** The event from which a branch says the same things in a row. */
async function placeOf(
  wanted: readonly Said[],
  on: { readonly events: AsyncIterable<AgentEvent>; readonly dialects: readonly ToolDialect[] },
): Promise<string | undefined> {
  if (wanted.length < neededInRow) return undefined;
  const [first, second] = [wanted[0]!, wanted[1]!];
  let before: Said | undefined;
  for await (const event of on.events) {
    const said = saidIn(event, on.dialects);
    if (said === undefined) continue;
    if (before !== undefined && isSame(before, first) && isSame(said, second))
      return before.event.number;
    before = said;
  }
  return undefined;
}

/** The events from the one with this number on. */
export async function* eventsFrom(
  events: AsyncIterable<AgentEvent>,
  number: string,
): AsyncGenerator<AgentEvent> {
  let isReached = false;
  for await (const event of events) {
    isReached ||= event.number === number;
    if (isReached) yield event;
  }
}
