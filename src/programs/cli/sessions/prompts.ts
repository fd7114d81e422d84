import type { AgentEvent } from "../../../agents/contract.ts";
import { limits } from "../../../base/limits.ts";
import { plainText } from "../../../model/block.ts";
import { readablePrompt } from "../../../model/command-title.ts";
import { isPrompt } from "../../../model/prompt.ts";
import { oneLine } from "../../../model/text.ts";

/** A prompt of a session, as `ref@event` names it. */
export interface ListedPrompt {
  readonly event: string;
  readonly at?: string;
  /** Its first line; a slash command as it was typed. */
  readonly text: string;
  /** The event before it, to continue as if it had not been typed; absent for the first event. */
  readonly before?: string;
}

/** The prompts that the user typed, in their order; what an agent typed for its subagents is not among them. */
export async function* promptsIn(events: AsyncIterable<AgentEvent>): AsyncGenerator<ListedPrompt> {
  let before: string | undefined;
  for await (const { number, at, body, sidechain } of events) {
    if (sidechain !== undefined) continue;
    if (isPrompt(body)) {
      const [first = ""] = readablePrompt(plainText(body.content)).trim().split("\n", 1);
      yield {
        event: number,
        ...(at !== undefined && { at }),
        text: oneLine(first, limits.titleChars),
        ...(before !== undefined && { before }),
      };
    }
    before = number;
  }
}
