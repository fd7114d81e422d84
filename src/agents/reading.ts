import { limits } from "../base/limits.ts";
import { type Damage, isRecovered } from "../model/damage.ts";
import type { AgentEvent, ReadOptions } from "./contract.ts";
import type { FoundSession } from "./find-sessions.ts";
import { throwIfUnread } from "./session-file.ts";
import { type Source, sourceBatches } from "./source.ts";

/** What reading told besides the events; filled while they are taken. */
export interface Tally {
  events: number;
  damaged: number;
  /** How many of the damaged were read all the same. */
  recovered: number;
  /** Its first record follows one that is not here. */
  continued: boolean;
  /** The first damages; all are counted. */
  readonly damages: Damage[];
  readonly unknown: Map<string, number>;
}

/** A session's events as a stream, and the tally that grows with it. */
export interface Reading {
  readonly events: AsyncGenerator<AgentEvent>;
  readonly tally: Tally;
}

/** Which part of a session to read. */
export interface ReadSessionOptions extends ReadOptions {
  /** Only the conversation up to this event, by its number or native id, on whichever branch it lies. */
  readonly upTo?: string;
}

/**
 * Reads a session of any agent batch by batch, so that memory holds one batch. A file that is gone or cannot be read is an
 * error; damage in it is counted in the tally.
 */
export function readSession(
  session: Pick<FoundSession, "agent" | "ref">,
  options: ReadSessionOptions = {},
): Reading {
  const { upTo, ...rest } = options;
  const { agent, ref } = session;
  const tally: Tally = {
    events: 0,
    damaged: 0,
    recovered: 0,
    continued: false,
    damages: [],
    unknown: new Map(),
  };
  const events =
    upTo === undefined
      ? eventsOf(session, rest, tally)
      : eventsUpTo({ agent, ref, at: upTo }, tally);
  return { tally, events };
}

async function* eventsUpTo(source: Source, tally: Tally): AsyncGenerator<AgentEvent> {
  for await (const events of sourceBatches(source, (damage) => count(damage, tally))) {
    tally.events += events.length;
    yield* events;
  }
}

function count(damage: Damage, tally: Tally): void {
  tally.damaged += 1;
  if (isRecovered(damage)) tally.recovered += 1;
  if (tally.damages.length < limits.reportedDamages) tally.damages.push(damage);
}

async function* eventsOf(
  session: Pick<FoundSession, "agent" | "ref">,
  options: ReadOptions,
  tally: Tally,
): AsyncGenerator<AgentEvent> {
  for await (const batch of session.agent.read(session.ref, options)) {
    throwIfUnread(session.ref, batch.damage);
    for (const damage of batch.damage) count(damage, tally);
    if (batch.continued) tally.continued = true;
    for (const [type, count] of Object.entries(batch.unknown ?? {})) {
      tally.unknown.set(type, (tally.unknown.get(type) ?? 0) + count);
    }
    for (const event of batch.events) {
      tally.events += 1;
      yield event;
    }
  }
}
