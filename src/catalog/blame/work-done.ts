import type { AgentEvent } from "../../agents/contract.ts";
import { isSessionPrompt } from "../../model/prompt.ts";
import { type ChangeSize, changeSize } from "./change-size.ts";
import { type ActOptions, sessionActs } from "./session-acts.ts";

/** What was done in a session. */
export interface WorkDone {
  /** How often a person asked for something, on whichever branch. */
  readonly prompts: number;
  /** Lines that its calls added to files and removed from them; absent where no call reports any. */
  readonly lines?: ChangeSize;
}

/** Counts what was done in the events of a session, which come with all branches; calls that failed did nothing. */
export async function workDone(
  events: AsyncIterable<AgentEvent>,
  options: ActOptions,
): Promise<WorkDone> {
  let prompts = 0;
  let [added, removed] = [0, 0];
  const counted = async function* (): AsyncGenerator<AgentEvent> {
    for await (const event of events) {
      if (isSessionPrompt(event)) prompts += 1;
      yield event;
    }
  };
  for await (const act of sessionActs(counted(), options)) {
    if (act.action === "read" || act.outcome === "failed") continue;
    const size = changeSize(act);
    added += size.added;
    removed += size.removed;
  }
  return { prompts, ...(added + removed > 0 && { lines: { added, removed } }) };
}
