import { RepriseError } from "../../base/errors.ts";
import { isObject, parseObject } from "../../base/json.ts";
import { bodyOf } from "../../log/mend.ts";
import type { Damage } from "../../model/damage.ts";
import type { SessionEvent } from "../../model/event.ts";
import type { SessionLog } from "../../store/session-log.ts";
import { openLog } from "../../store/sessions.ts";
import type { AgentEvent, Cursor, ReadBatch, ReadOptions, SessionRef } from "../contract.ts";

const batchEvents = 256;

/** Reads a native session: what a model would be given, or everything in file order. */
export async function* read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  const log = openLog(ref.path, {});
  try {
    if (options.last !== undefined) yield newest(log, options.last, options.allBranches);
    else yield* batches(log, options);
  } finally {
    await log.close();
  }
}

function* batches(log: SessionLog, options: ReadOptions): Generator<ReadBatch> {
  const from = options.from === undefined ? 0 : lastIdOf(options.from);
  const live = livePath(log);
  const damage: Damage[] = [];
  let events: AgentEvent[] = [];
  let last = from;
  for (const event of log.events({ from: from + 1, onDamage: (found) => damage.push(found) })) {
    last = Math.max(last, event.id);
    const isLive = live(event.id);
    if (isLive || options.allBranches) events.push(agentEvent(event, isLive));
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
  for (const step of log.path()) {
    if (live.size >= count) break;
    if (step.kind === "damage") damage.push(step.damage);
    else live.set(step.event.id, step.event);
  }
  const events = [...live.values()];
  if (allBranches) {
    events.length = 0;
    for (const event of log.events({ reverse: true })) {
      if (events.length >= count) break;
      events.push(event);
    }
  }
  const shown = events.reverse().map((event) => agentEvent(event, live.has(event.id)));
  return { events: shown, damage, cursor: cursorAt(events.at(-1)?.id ?? 0) };
}

/**
 * Tells which events are live, from one scan of the lines' first bytes: rewinds leave spans out, and the
 * newest compaction on the path hides what it does not keep.
 */
function livePath(log: SessionLog): (id: number) => boolean {
  const turns = [...log.shapes()]
    .filter(({ type }) => type === "rewind" || type === "compaction")
    .reverse();
  const gaps: { readonly after: number; readonly before: number }[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  let keepFrom = 0;
  for (const { id, parent = 0, type } of turns) {
    if (id > lowest) continue;
    if (type === "compaction") {
      keepFrom ||= firstKept(log, id);
      continue;
    }
    if (parent >= id) continue;
    gaps.push({ after: parent, before: id });
    lowest = parent;
  }
  return (id) => id >= keepFrom && !gaps.some(({ after, before }) => id > after && id < before);
}

function firstKept(log: SessionLog, compaction: number): number {
  for (const event of log.events({ from: compaction })) {
    return event.type === "compaction"
      ? Math.min(event.keepFrom ?? event.id, event.id)
      : compaction;
  }
  return compaction;
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
