import type { FoundSession } from "../../agents/newest-sessions.ts";
import { timeOf } from "../../base/clock.ts";
import type { Checkpoint } from "../../snapshot/checkpoint.ts";
import { type Moment, momentsOf } from "./moments.ts";

/** A checkpoint and where it lies in its session. */
export interface PlacedCheckpoint {
  readonly checkpoint: Checkpoint;
  /** The prompt it was taken at, or the last one before it. */
  readonly prompt?: string;
}

/** How far a prompt's own time may lie from that of its checkpoint: a hook runs while the agent writes it down. */
const promptSlackMs = 10_000;

/**
 * The checkpoints of one session with the events they belong to. A hook cannot know the event: it is found by the call it
 * was taken before, by the prompt that was said at that time, or as the last event before it. `event` is the last one of
 * the history that the files belong to, `uuid` names the message: of a prompt, that prompt.
 */
export async function placedCheckpoints(
  session: FoundSession,
  checkpoints: readonly Checkpoint[],
): Promise<readonly PlacedCheckpoint[]> {
  const { head } = session;
  const own = checkpoints.filter((one) => one.agent === head.agent && one.session === head.session);
  if (own.length === 0) return [];
  const moments: Moment[] = [];
  for await (const moment of momentsOf(session, { allBranches: true })) moments.push(moment);
  return own.map((checkpoint) => placed(checkpoint, moments));
}

function placed(checkpoint: Checkpoint, moments: readonly Moment[]): PlacedCheckpoint {
  const at = placeOf(checkpoint, moments);
  if (at < 0) return { checkpoint };
  const moment = moments[at]!;
  const last = isTakenBefore(checkpoint, moment) ? moments[at - 1] : moment;
  const prompt = moments.slice(0, at + 1).findLast((one) => one.prompt !== undefined)?.prompt;
  const { messages = last?.messages, tokens = last?.tokens } = checkpoint;
  const event = checkpoint.event ?? last?.event;
  const uuid = checkpoint.uuid ?? moment.uuid;
  return {
    checkpoint: {
      ...checkpoint,
      ...(event !== undefined && { event }),
      ...(uuid !== undefined && { uuid }),
      ...(messages !== undefined && { messages }),
      ...(tokens !== undefined && { tokens }),
    },
    ...(prompt !== undefined && { prompt }),
  };
}

/** Whether a checkpoint was taken before its message was acted on: a prompt was not answered yet, a call not made. */
function isTakenBefore({ event, reason, uuid, call }: Checkpoint, moment: Moment): boolean {
  if (event !== undefined) return false;
  if (call !== undefined && moment.call === call) return true;
  return moment.prompt !== undefined && (reason === "prompt" || uuid === moment.uuid);
}

/** The index of a checkpoint's message; -1 where the session has none that early. */
function placeOf(checkpoint: Checkpoint, moments: readonly Moment[]): number {
  const { event, uuid, call, reason } = checkpoint;
  if (event !== undefined) return moments.findIndex((one) => one.event === event);
  const named = moments.findIndex(
    (one) => (uuid !== undefined && one.uuid === uuid) || (call !== undefined && one.call === call),
  );
  if (named >= 0) return named;
  const atMs = timeOf(checkpoint.at) ?? 0;
  const prompt = reason === "prompt" ? nearestPrompt(moments, atMs) : -1;
  if (prompt >= 0) return prompt;
  return moments.findLastIndex((one) => one.atMs !== undefined && one.atMs <= atMs);
}

function nearestPrompt(moments: readonly Moment[], atMs: number): number {
  let [found, nearestMs] = [-1, promptSlackMs];
  moments.forEach((moment, at) => {
    if (moment.prompt === undefined || moment.atMs === undefined) return;
    const apartMs = Math.abs(moment.atMs - atMs);
    if (apartMs < nearestMs) [found, nearestMs] = [at, apartMs];
  });
  return found;
}
