import type { AgentEvent } from "../../../agents/contract.ts";
import type { FoundSession } from "../../../agents/find-sessions.ts";
import { nearestTold } from "../../../agents/nearest-told.ts";
import { readSession } from "../../../agents/reading.ts";
import { plainText } from "../../../model/block.ts";
import { readablePrompt } from "../../../model/command-title.ts";
import { isSaid, isSessionPrompt } from "../../../model/prompt.ts";
import { oneLine } from "../../../model/text.ts";

/** A prompt of a session, as `ref@event` names it. */
export interface ListedPrompt {
  readonly event: string;
  readonly at?: string;
  /** All of it; a slash command as it was typed. */
  readonly text: string;
  /** Whether it is still in the context: neither compacted nor on an abandoned branch. */
  readonly live: boolean;
  /** The event before it, to continue as if it had not been typed; absent where nothing was said before. */
  readonly before?: string;
}

/** The prompts that the user typed, in their order; what an agent typed for its subagents is not among them. */
export async function* promptsIn(events: AsyncIterable<AgentEvent>): AsyncGenerator<ListedPrompt> {
  for await (const event of events) {
    if (!isSessionPrompt(event)) continue;
    const { number, at, body, live } = event;
    const text = readablePrompt(plainText(body.content));
    yield { event: number, ...(at !== undefined && { at }), text, live };
  }
}

const headingMarks = /^[ \t]{0,3}#{1,6}[ \t]+/gm;

/** How a prompt begins, on one line and without marks of headings. */
export function beginningOf({ text }: ListedPrompt, chars: number): string {
  return oneLine(text.replace(headingMarks, ""), chars);
}

/** How many prompts of a session are not in its context any more. */
export async function promptsAside(session: FoundSession): Promise<number> {
  let count = 0;
  for await (const { live } of promptsIn(readSession(session, { allBranches: true }).events)) {
    if (!live) count += 1;
  }
  return count;
}

/** The event before each prompt where something was said before; as it was then, whatever a compaction hid since. */
export async function eventsBefore(session: FoundSession): Promise<ReadonlyMap<string, string>> {
  const befores = new Map<string, string>();
  const told: string[] = [];
  let isBegun = false;
  for await (const event of readSession(session, { allBranches: true }).events) {
    const { number, parent = told.at(-1), body, sidechain } = event;
    if (sidechain !== undefined) continue;
    if (isBegun && parent !== undefined && isSessionPrompt(event)) {
      befores.set(number, nearestTold(told, parent) ?? parent);
    }
    isBegun ||= isSaid(body) || body.type === "compaction";
    told.push(number);
  }
  return befores;
}
