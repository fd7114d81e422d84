import type { AgentEvent } from "../../../agents/contract.ts";
import type { FoundSession } from "../../../agents/find-sessions.ts";
import { readSession } from "../../../agents/reading.ts";
import { limits } from "../../../base/limits.ts";
import { plainText } from "../../../model/block.ts";
import { readablePrompt } from "../../../model/command-title.ts";
import { isPrompt, isSaid } from "../../../model/prompt.ts";
import { oneLine } from "../../../model/text.ts";

/** A prompt of a session, as `ref@event` names it. */
export interface ListedPrompt {
  readonly event: string;
  readonly at?: string;
  /** Its beginning on one line, without marks of headings; a slash command as it was typed. */
  readonly text: string;
  /** The event before it, to continue as if it had not been typed; absent where nothing was said before. */
  readonly before?: string;
}

const headingMarks = /^[ \t]{0,3}#{1,6}[ \t]+/gm;

/** The prompts that the user typed, in their order; what an agent typed for its subagents is not among them. */
export async function* promptsIn(
  events: AsyncIterable<AgentEvent>,
  befores: ReadonlyMap<string, string>,
): AsyncGenerator<ListedPrompt> {
  for await (const { number, at, body, sidechain } of events) {
    if (sidechain !== undefined || !isPrompt(body)) continue;
    const asked = readablePrompt(plainText(body.content)).replace(headingMarks, "");
    const before = befores.get(number);
    yield {
      event: number,
      ...(at !== undefined && { at }),
      text: oneLine(asked, limits.titleChars),
      ...(before !== undefined && { before }),
    };
  }
}

/** The event before each prompt where something was said before; as it was then, whatever a compaction hid since. */
export async function eventsBefore(session: FoundSession): Promise<ReadonlyMap<string, string>> {
  const befores = new Map<string, string>();
  let last: string | undefined;
  let isBegun = false;
  for await (const event of readSession(session, { allBranches: true }).events) {
    const { number, parent = last, body, sidechain } = event;
    if (sidechain !== undefined) continue;
    if (isBegun && parent !== undefined && isPrompt(body)) befores.set(number, parent);
    isBegun ||= isSaid(body);
    last = number;
  }
  return befores;
}
