import type { AgentEvent, ReadOptions } from "../../../agents/contract.ts";
import { throwIfUnread } from "../../../agents/session-file.ts";
import { limits } from "../../../base/limits.ts";
import { type Source, sourceBatches } from "../../../convert/source.ts";
import { type Damage, damageCount, isRecovered } from "../../../model/damage.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import type { FoundSession } from "./sessions.ts";

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

/** Reads a session batch by batch: memory holds one batch. */
export function readSession(session: FoundSession, options: ReadOptions = {}): Reading {
  const tally = emptyTally();
  return { tally, events: eventsOf(session, options, tally) };
}

/** Reads the conversation up to an event, wherever that lies. */
export function readUpTo(session: FoundSession, event: string): Reading {
  const tally = emptyTally();
  return { tally, events: eventsUpTo({ ...session, at: event }, tally) };
}

function emptyTally(): Tally {
  return { events: 0, damaged: 0, recovered: 0, continued: false, damages: [], unknown: new Map() };
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
  session: FoundSession,
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

/** What a reader should know about the reading: damage, and records of kinds nobody knows. */
export function tallySentences(tally: Tally): readonly string[] {
  const sentences: string[] = [];
  if (tally.damaged > 0) sentences.push(damageCount(tally.damaged, tally.recovered));
  if (tally.continued) {
    sentences.push("It continues another session's file, or its beginning was cut off");
  }
  if (tally.unknown.size > 0) {
    const kinds = [...tally.unknown].map(([type, count]) => `${safeLine(type)} ${count}`);
    const total = [...tally.unknown.values()].reduce((sum, count) => sum + count, 0);
    const records = total === 1 ? "1 record" : `${total} records`;
    sentences.push(`${records} of unknown type kept (${kinds.slice(0, 5).join(", ")})`);
  }
  return sentences;
}
