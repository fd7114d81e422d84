import { RepriseError } from "../base/errors.ts";
import type { Damage } from "../model/damage.ts";
import type { EventType } from "../model/event.ts";
import type { Agent, AgentEvent, ReadOptions, SessionRef } from "./contract.ts";
import { compareNumbers, isNamed } from "./event-name.ts";
import { nearestTold } from "./nearest-told.ts";
import { throwIfUnread } from "./session-file.ts";

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
  if (at === undefined) yield* live(source, onDamage);
  else if (source.agent.readsUntil === true) yield* asOf(source, at, onDamage);
  // Most often the event is on the live path: then reading stops there.
  else if (await isLive(source, at)) yield* liveTo(source, at, onDamage);
  else {
    const { behind, path } = await lookFor(source, at);
    if (behind !== undefined) return yield* liveTo(source, behind, onDamage);
    for await (const events of batches(source, { allBranches: true }, onDamage)) {
      yield events.filter(({ number }) => path.has(number));
    }
  }
}

/** What was replayed when the named event was the last one; a compaction comes with all that it kept. */
async function* asOf(
  source: Source,
  at: string,
  onDamage: (damage: Damage) => void,
): AsyncGenerator<readonly AgentEvent[]> {
  const named = await eventNamed(source, at);
  const { number, body } = named;
  const isWhole = body.type === "compaction";
  for await (const events of live(source, onDamage, { until: number })) {
    if (isWhole) {
      yield events;
      continue;
    }
    const wanted = events.filter((event) => (compareNumbers(event.number, number) ?? 0) <= 0);
    const last = wanted.findIndex((event) => event.number === number);
    yield last < 0 ? wanted : wanted.slice(0, last + 1);
    if (last >= 0) return;
  }
  // What a user's record says is there all the same where it was not replayed by itself: it was asked for.
  if (body.type === "user") yield [named];
}

async function eventNamed(source: Source, at: string): Promise<AgentEvent> {
  for await (const events of batches(source, { allBranches: true })) {
    const found = events.find((event) => isNamed(event, at));
    if (found !== undefined) return found;
  }
  throw noEvent(at);
}

function noEvent(at: string): RepriseError {
  return new RepriseError("not_found", `There is no event ${at} in this session.`);
}

async function isLive(source: Source, at: string): Promise<boolean> {
  for await (const events of live(source)) {
    if (events.some((event) => isNamed(event, at) && isSaid(event))) return true;
  }
  return false;
}

async function* liveTo(
  source: Source,
  at: string,
  onDamage: (damage: Damage) => void,
): AsyncGenerator<readonly AgentEvent[]> {
  for await (const events of live(source, onDamage)) {
    const last = events.findLastIndex((event) => isNamed(event, at) && isSaid(event));
    yield last < 0 ? events : events.slice(0, last + 1);
    if (last >= 0) return;
  }
}

/** Where an event lies: on a path of its own, or `behind` a live event, where it hangs on nothing. */
interface Whereabouts {
  readonly path: ReadonlySet<string>;
  readonly behind?: string | undefined;
}

async function lookFor(source: Source, at: string): Promise<Whereabouts> {
  const parents = new Map<string, string | undefined>();
  const told: string[] = [];
  let found: string | undefined;
  let behind: string | undefined;
  let lastLive: string | undefined;
  for await (const events of batches(source, { allBranches: true })) {
    for (const event of events) {
      const { number, parent } = event;
      // Of a record that says nothing there is no event to lead on.
      const isTold = parent === undefined || parents.has(parent);
      parents.set(number, isTold ? parent : nearestTold(told, parent));
      if (parent !== undefined || isSaid(event)) told.push(number);
      if (event.live && event.sidechain === undefined && isSaid(event)) lastLive = event.number;
      if (!isNamed(event, at)) continue;
      found = event.number;
      // A title or a task has no place in the tree: it stands behind what was said before it.
      behind = event.parent === undefined && !isSaid(event) ? lastLive : undefined;
    }
  }
  if (found === undefined) throw noEvent(at);
  return { path: pathTo(found, parents), behind };
}

/** The numbers from an event to its root; what a compaction hid is part of it. */
function pathTo(
  number: string,
  parents: ReadonlyMap<string, string | undefined>,
): ReadonlySet<string> {
  const path = new Set<string>();
  for (
    let at: string | undefined = number;
    at !== undefined && !path.has(at);
    at = parents.get(at)
  ) {
    path.add(at);
  }
  return path;
}

const saidTypes: ReadonlySet<string> = new Set<EventType>([
  "system",
  "user",
  "assistant",
  "thinking",
  "tool_use",
  "tool_result",
  "compaction",
]);

/** Whether an event is part of the conversation: one can go on behind it. */
function isSaid({ body }: AgentEvent): boolean {
  return saidTypes.has(body.type);
}

/** What the program would replay. What a subagent said is not part of it; its answer is, as a tool's result. */
async function* live(
  source: Source,
  onDamage?: (damage: Damage) => void,
  options: Pick<ReadOptions, "until"> = {},
): AsyncGenerator<readonly AgentEvent[]> {
  for await (const events of batches(source, options, onDamage)) {
    yield events.filter((event) => event.live && event.sidechain === undefined);
  }
}

async function* batches(
  { agent, ref }: Source,
  options: Pick<ReadOptions, "allBranches" | "until">,
  onDamage: (damage: Damage) => void = () => undefined,
): AsyncGenerator<readonly AgentEvent[]> {
  let begun = false;
  for await (const batch of agent.read(ref, { ...options })) {
    if (batch.restart && begun) {
      throw new RepriseError("changed_outside", "The session was rewritten while it was read.", {
        hint: "Wait until the agent is done, then try again.",
      });
    }
    begun = true;
    throwIfUnread(ref, batch.damage);
    batch.damage.forEach(onDamage);
    yield batch.events;
  }
}
