import { limits } from "../base/limits.ts";
import type { Damage } from "../model/damage.ts";
import type { EventId, SessionEvent } from "../model/event.ts";

/** Gives an event by its id, for sources that do not hold all events at once. */
export type EventLookup = (id: EventId) => SessionEvent | undefined;

/** A place where the way to the root is broken. */
export interface PathProblem {
  readonly kind: Extract<Damage["kind"], "missing_parent" | "cycle">;
  /** The event whose parent could not be followed. */
  readonly event: EventId;
  readonly parent: EventId;
  /** The event the path continues instead; absent where it ends. */
  readonly instead?: EventId;
}

/** The events from the root to a leaf, root first, and what was wrong on the way. */
export interface SessionPath {
  readonly events: readonly SessionEvent[];
  readonly problems: readonly PathProblem[];
}

/** The event one step nearer to the root; a rewind continues where it went back to. */
export function parentOf(event: SessionEvent): EventId | undefined {
  if (event.type === "rewind") return event.to;
  if (event.type === "session_start") return event.parent ?? event.base?.event;
  return event.parent;
}

/**
 * Follows parents from the leaf (the last event unless given) to the root. A lost parent costs only
 * itself: the path continues the newest event before it (P2).
 */
export function pathOf(events: readonly SessionEvent[], leaf?: EventId): SessionPath;
export function pathOf(lookup: EventLookup, leaf: EventId): SessionPath;
export function pathOf(source: readonly SessionEvent[] | EventLookup, leaf?: EventId): SessionPath {
  const { get, before } = typeof source === "function" ? byLookup(source) : byList(source);
  const leafId = leaf ?? (typeof source === "function" ? undefined : source.at(-1)?.id);
  const backward: SessionEvent[] = [];
  const problems: PathProblem[] = [];
  const visited = new Set<EventId>();
  let current = leafId === undefined ? undefined : get(leafId);
  while (current !== undefined) {
    backward.push(current);
    visited.add(current.id);
    const parent = parentOf(current);
    if (parent === undefined) break;
    let next = get(parent);
    if (next === undefined) {
      next = before(parent);
      const instead = next === undefined || visited.has(next.id) ? undefined : next.id;
      problems.push({
        kind: "missing_parent",
        event: current.id,
        parent,
        ...(instead === undefined ? {} : { instead }),
      });
      if (instead === undefined) break;
    } else if (visited.has(next.id)) {
      problems.push({ kind: "cycle", event: current.id, parent });
      break;
    }
    current = next;
  }
  return { events: backward.reverse(), problems };
}

interface Source {
  get(id: EventId): SessionEvent | undefined;
  /** The event with the greatest id below this one. */
  before(id: EventId): SessionEvent | undefined;
}

function byList(events: readonly SessionEvent[]): Source {
  const byId = new Map<EventId, SessionEvent>();
  // The first of two events with one id is the one its followers were written after.
  for (const event of events) if (!byId.has(event.id)) byId.set(event.id, event);
  let sorted: readonly EventId[] | undefined;
  return {
    get: (id) => byId.get(id),
    before: (id) => {
      sorted ??= [...byId.keys()].sort((a, b) => a - b);
      let low = 0;
      let high = sorted.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (sorted[middle]! < id) low = middle + 1;
        else high = middle;
      }
      return low === 0 ? undefined : byId.get(sorted[low - 1]!);
    },
  };
}

function byLookup(get: EventLookup): Source {
  return {
    get,
    before: (id) => {
      for (let step = 1; step <= limits.pathGap && id - step > 0; step += 1) {
        const event = get(id - step);
        if (event !== undefined) return event;
      }
      return undefined;
    },
  };
}
