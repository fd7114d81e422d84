import type { Damage } from "../model/damage.ts";
import type { EventId, SessionEvent } from "../model/event.ts";
import type { SessionLog } from "./session-log.ts";

/** The part of the path a context needs, root first, and what was damaged on the way. */
export interface ContextPath {
  readonly events: readonly SessionEvent[];
  readonly damage: readonly Damage[];
  /** Whether it begins at the root; otherwise a compaction stands for what came before. */
  readonly whole: boolean;
}

/**
 * Walks from the end to the newest compaction on the path, and on to the first event it keeps. What lies
 * before costs nothing, whatever the size of the session (P5). What opens the session comes along: its
 * first line for the facts, and the instructions it began with.
 */
export function contextPath(log: SessionLog, from?: EventId): ContextPath {
  const events: SessionEvent[] = [];
  const damage: Damage[] = [];
  let stopBelow: EventId | undefined;
  let whole = true;
  for (const step of log.path(from)) {
    if (step.kind === "damage") {
      damage.push(step.damage);
      continue;
    }
    const { event } = step;
    if (stopBelow !== undefined && event.id < stopBelow) {
      whole = false;
      break;
    }
    events.push(event);
    if (event.type === "compaction" && stopBelow === undefined) {
      stopBelow = Math.min(event.keepFrom ?? event.id, event.id);
    }
  }
  if (!whole) events.push(...opening(log, stopBelow ?? 0).toReversed());
  return { events: events.reverse(), damage, whole };
}

const openingEvents = 16;

function opening(log: SessionLog, before: EventId): readonly SessionEvent[] {
  const events: SessionEvent[] = [];
  for (const event of log.events()) {
    if (event.id >= before || (event.type !== "session_start" && event.type !== "system")) break;
    events.push(event);
    if (events.length === openingEvents) break;
  }
  return events;
}
