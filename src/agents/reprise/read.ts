import { type Environment, processEnvironment } from "../../base/env.ts";
import { RepriseError } from "../../base/errors.ts";
import { isObject, parseObject } from "../../base/json.ts";
import { bodyOf } from "../../log/mend.ts";
import type { Damage } from "../../model/damage.ts";
import type { SessionEvent } from "../../model/event.ts";
import type { SessionLog, Shape } from "../../store/session-log.ts";
import { openLog } from "../../store/sessions.ts";
import type { AgentEvent, Cursor, ReadBatch, ReadOptions, SessionRef } from "../contract.ts";

/** Few, because native events may be long: what is held at once is copied by every collection. */
const batchEvents = 32;

/** Reads a native session: what a model would be given, or everything in file order. */
export async function* read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  const log = openLog(ref.path, { env: environmentOf(ref) });
  try {
    if (options.last !== undefined) yield newest(log, options.last, options.allBranches);
    else yield* batches(log, options);
  } finally {
    await log.close();
  }
}

function* batches(log: SessionLog, options: ReadOptions): Generator<ReadBatch> {
  const from = options.from === undefined ? 0 : lastIdOf(options.from);
  const { isLive, summary } = livePath(log, from);
  const damage: Damage[] = [];
  let last = from;
  // A model is given the summary before the events it kept; in file order it comes after them.
  const moved = options.allBranches || (summary ?? 0) <= from ? undefined : summary;
  let events: AgentEvent[] = moved === undefined ? [] : [agentEvent(eventAt(log, moved)!, true)];
  const onDamage = (found: Damage) => damage.push(found);
  for (const event of log.events({ from: from + 1, onDamage })) {
    last = Math.max(last, event.id);
    const live = isLive(event.id);
    if ((live && event.id !== moved) || options.allBranches) events.push(agentEvent(event, live));
    if (events.length < batchEvents) continue;
    yield { events, damage: damage.splice(0), cursor: cursorAt(last) };
    events = [];
  }
  yield { events, damage, cursor: cursorAt(last) };
}

/** The newest events, in order, read from the end: the size of the session does not matter. */
function newest(log: SessionLog, count: number, allBranches: boolean | undefined): ReadBatch {
  const live = new Map<number, SessionEvent>();
  const damage: Damage[] = [];
  let summary: SessionEvent | undefined;
  let keepFrom = 0;
  for (const step of log.path()) {
    if (live.size >= count) break;
    if (step.kind === "damage") {
      damage.push(step.damage);
      continue;
    }
    const { event } = step;
    if (event.id < keepFrom) break;
    if (summary === undefined && event.type === "compaction") {
      summary = event;
      keepFrom = keptFrom(event);
    } else live.set(event.id, event);
  }
  // A model is given the summary before the events it kept.
  if (summary !== undefined && live.size < count) live.set(summary.id, summary);
  const isLive = (id: number): boolean => live.has(id) || id === summary?.id;
  const events = [...live.values()];
  if (allBranches) {
    events.length = 0;
    for (const event of log.events({ reverse: true })) {
      if (events.length >= count) break;
      events.push(event);
    }
  }
  const shown = events.reverse().map((event) => agentEvent(event, isLive(event.id)));
  return { events: shown, damage, cursor: cursorAt(Math.max(0, ...events.map(({ id }) => id))) };
}

/**
 * Tells which events are live, from one scan of the lines' first bytes: rewinds leave spans out, and the
 * newest compaction on the path hides what it does not keep. For what comes after an event only that part is
 * scanned: nothing before it can hide it.
 */
function livePath(
  log: SessionLog,
  from: number,
): {
  readonly isLive: (id: number) => boolean;
  readonly summary: number | undefined;
} {
  const turns: Shape[] = [];
  for (const { id, parent, type } of from === 0 ? log.shapes() : log.events({ from: from + 1 })) {
    if (type === "rewind" || type === "compaction") turns.unshift({ id, parent, type });
  }
  const gaps: { readonly after: number; readonly before: number }[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  let keepFrom = 0;
  let summary: number | undefined;
  for (const { id, parent = 0, type } of turns) {
    if (id > lowest) continue;
    if (type === "compaction") {
      if (summary === undefined) keepFrom = firstKept(log, id);
      summary ??= id;
      continue;
    }
    if (parent >= id) continue;
    gaps.push({ after: parent, before: id });
    lowest = parent;
  }
  const isLive = (id: number): boolean =>
    id >= keepFrom && !gaps.some(({ after, before }) => id > after && id < before);
  return { isLive, summary };
}

function firstKept(log: SessionLog, compaction: number): number {
  const event = eventAt(log, compaction);
  return event?.type === "compaction" ? keptFrom(event) : compaction;
}

/** The first event a compaction keeps; itself where it keeps none before it. */
function keptFrom(event: SessionEvent & { readonly type: "compaction" }): number {
  return Math.min(event.keepFrom ?? event.id, event.id);
}

function eventAt(log: SessionLog, id: number): SessionEvent | undefined {
  for (const event of log.events({ from: id })) return event.id === id ? event : undefined;
  return undefined;
}

/** A store may lie elsewhere than the user's: the sample does. */
function environmentOf({ root }: SessionRef): Environment {
  const env = processEnvironment();
  return root === undefined ? env : { ...env, variables: { ...env.variables, REPRISE_HOME: root } };
}

function agentEvent(event: SessionEvent, live: boolean): AgentEvent {
  return {
    number: String(event.id),
    ...(event.parent !== undefined && { parent: String(event.parent) }),
    at: event.at,
    live,
    body: bodyOf(event),
    native: event,
  };
}

function cursorAt(last: number): Cursor {
  return JSON.stringify({ last });
}

function lastIdOf(cursor: Cursor): number {
  const value = parseObject(cursor);
  if (isObject(value) && Number.isSafeInteger(value["last"])) return value["last"] as number;
  throw new RepriseError("bad_input", "The cursor was not made by this reader.");
}
