import type { Agent, AgentEvent, SessionRef } from "../agents/contract.ts";
import { throwIfUnread } from "../agents/session-file.ts";
import { RepriseError } from "../base/errors.ts";
import type { Damage } from "../model/damage.ts";

/** A session to convert, and the event after which to stop. */
export interface Source {
  readonly agent: Agent;
  readonly ref: SessionRef;
  /** An event's number or native id; the end of the live path if absent. */
  readonly at?: string | undefined;
}

/** The events a conversion reads, one by one. */
export async function* sourceEvents(source: Source): AsyncGenerator<AgentEvent> {
  for await (const events of sourceBatches(source)) yield* events;
}

/**
 * The events a conversion reads: the live path, or the path to the named event. In batches, because a
 * promise for each of many small events costs more than what is done with them.
 */
export async function* sourceBatches(
  source: Source,
  onDamage: (damage: Damage) => void = () => undefined,
): AsyncGenerator<readonly AgentEvent[]> {
  const { at } = source;
  if (at === undefined) {
    yield* batches(source, {}, onDamage);
    return;
  }
  // Most often the event is on the live path: then reading stops there.
  if (await isLive(source, at)) {
    for await (const events of batches(source, {}, onDamage)) {
      const last = events.findIndex((event) => names(event, at));
      yield last < 0 ? events : events.slice(0, last + 1);
      if (last >= 0) return;
    }
    return;
  }
  const path = await pathTo(source, at);
  for await (const events of batches(source, { allBranches: true }, onDamage)) {
    yield events.filter(({ number }) => path.has(number));
  }
}

async function isLive(source: Source, at: string): Promise<boolean> {
  for await (const events of batches(source, {}, () => undefined)) {
    if (events.some((event) => names(event, at))) return true;
  }
  return false;
}

/** The numbers from an event to its root; what a compaction hid is part of it. */
async function pathTo(source: Source, at: string): Promise<ReadonlySet<string>> {
  const parents = new Map<string, string | undefined>();
  let found: string | undefined;
  for await (const events of batches(source, { allBranches: true }, () => undefined)) {
    for (const event of events) {
      parents.set(event.number, event.parent);
      if (names(event, at)) found = event.number;
    }
  }
  if (found === undefined) {
    throw new RepriseError(
      "not_found",
      `There is no event ${at} in ${source.agent.name}:${source.ref.session}.`,
    );
  }
  const path = new Set<string>();
  for (
    let number: string | undefined = found;
    number !== undefined && !path.has(number);
    number = parents.get(number)
  ) {
    path.add(number);
  }
  return path;
}

function names(event: AgentEvent, at: string): boolean {
  return event.number === at || event.uuid === at;
}

async function* batches(
  { agent, ref }: Source,
  options: { readonly allBranches?: boolean },
  onDamage: (damage: Damage) => void,
): AsyncGenerator<readonly AgentEvent[]> {
  let begun = false;
  for await (const batch of agent.read(ref, { ...options })) {
    if (batch.restart && begun) {
      throw new RepriseError(
        "changed_outside",
        `${agent.name}:${ref.session} was rewritten while it was read.`,
        { hint: "Wait until the agent is done, then try again." },
      );
    }
    begun = true;
    throwIfUnread(ref, batch.damage);
    batch.damage.forEach(onDamage);
    // What a subagent said is no part of this conversation; its answer is, as a tool's result.
    yield batch.events.filter(
      ({ sidechain, live }) => sidechain === undefined && (live || options.allBranches),
    );
  }
}
