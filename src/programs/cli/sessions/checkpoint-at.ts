import type { AgentEvent } from "../../../agents/contract.ts";
import { compareNumbers, isNamed } from "../../../agents/event-name.ts";
import type { FoundSession } from "../../../agents/find-sessions.ts";
import { throwIfUnread } from "../../../agents/session-file.ts";
import { timeOf } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import type { Checkpoint } from "../../../snapshot/checkpoint.ts";
import { newestBefore } from "../../../snapshot/find-checkpoint.ts";
import { isIncomplete } from "../../../snapshot/snapshot.ts";
import { realPathOf } from "../../../store/project.ts";

/** An event as far as checkpoints are found by it. */
export interface EventPlace {
  readonly number: string;
  readonly atMs?: number | undefined;
  readonly isPrompt?: boolean;
}

/**
 * The newest whole checkpoint that was taken at an event or before it: by the event it names where it names one of the
 * same session, else by its time, of the folder the session ran in.
 */
export function checkpointAt(
  { head }: Pick<FoundSession, "head">,
  event: EventPlace,
  checkpoints: readonly Checkpoint[],
): Checkpoint | undefined {
  const folder = head.cwd === undefined ? undefined : realPathOf(head.cwd);
  // A checkpoint at a prompt is taken in the moment the prompt is written down.
  const latestMs =
    event.atMs === undefined
      ? Number.NEGATIVE_INFINITY
      : event.atMs + (event.isPrompt === true ? limits.promptSlackMs : 0);
  return newestBefore(checkpoints, (one) => {
    if (isIncomplete(one)) return true;
    const isOwn = one.agent === head.agent && one.session === head.session;
    if (isOwn && one.event !== undefined) return (compareNumbers(one.event, event.number) ?? 1) > 0;
    if (!isOwn && one.folder !== folder) return true;
    return (timeOf(one.at) ?? Number.POSITIVE_INFINITY) > latestMs;
  });
}

/** The place of a named event; undefined if the session has no such event. */
export async function placeOfEvent(
  session: FoundSession,
  name: string,
): Promise<EventPlace | undefined> {
  for await (const event of conversationEvents(session))
    if (isNamed(event, name)) {
      const { number, at, body } = event;
      return { number, atMs: timeOf(at), isPrompt: body.type === "user" };
    }
  return undefined;
}

/** What subagents said is theirs. */
async function* conversationEvents({ agent, ref }: FoundSession): AsyncGenerator<AgentEvent> {
  for await (const batch of agent.read(ref, { allBranches: true })) {
    throwIfUnread(ref, batch.damage);
    for (const event of batch.events) if (event.sidechain === undefined) yield event;
  }
}
