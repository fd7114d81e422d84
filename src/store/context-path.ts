import { limits } from "../base/limits.ts";
import { eventTokens, jsonChars } from "../context/tokens.ts";
import type { Damage } from "../model/damage.ts";
import type { EventId, SessionEvent } from "../model/event.ts";
import type { SessionLog } from "./session-log.ts";

/** The part of the path a context needs, root first, and what was damaged on the way. */
export interface ContextPath {
  readonly events: readonly SessionEvent[];
  readonly damage: readonly Damage[];
  /** Whether it begins at the root; otherwise a compaction stands for what came before. */
  readonly whole: boolean;
  /** The event before which nothing was read, because the budget was used up. */
  readonly unreadBefore?: EventId;
}

/**
 * Walks from the end to the newest compaction on the path, and on to the first event it keeps, or until a budget is
 * used up for certain. What lies before costs nothing, whatever the size of the session (P5). What opens the session
 * comes along: its first line for the facts, and the instructions it began with; and the newest compaction, where it
 * is not far away.
 */
export function contextPath(
  log: SessionLog,
  { at, budgetTokens }: { readonly at?: EventId | undefined; readonly budgetTokens?: number } = {},
): ContextPath {
  const events: SessionEvent[] = [];
  const damage: Damage[] = [];
  const budget = budgetTokens === undefined ? undefined : new Budget(budgetTokens);
  let stopBelow: EventId | undefined;
  let unreadBefore: EventId | undefined;
  let searchedChars = 0;
  let whole = true;
  for (const step of log.path(at)) {
    if (step.kind === "damage") {
      damage.push(step.damage);
      continue;
    }
    const { event } = step;
    if (stopBelow !== undefined && event.id < stopBelow) {
      whole = false;
      break;
    }
    if (budget?.isUsedUpBefore(event)) unreadBefore ??= events.at(-1)?.id;
    if (unreadBefore === undefined) {
      events.push(event);
      budget?.add(event);
    } else {
      whole = false;
      // Only the summary of what was compacted is still wanted; what it kept is over the budget.
      if (stopBelow !== undefined) break;
      if (event.type === "compaction") events.push({ ...event, keepFrom: event.id });
      searchedChars += jsonChars(event);
      if (event.type === "compaction" || searchedChars > limits.summarySearchChars) break;
      continue;
    }
    if (event.type === "compaction" && stopBelow === undefined) {
      stopBelow = Math.min(event.keepFrom ?? event.id, event.id);
    }
  }
  if (!whole) events.push(...opening(log, events.at(-1)?.id ?? 0).toReversed());
  const unread = unreadBefore === undefined ? {} : { unreadBefore };
  return { events: events.reverse(), damage, whole, ...unread };
}

/** Says from when on nothing more can fit, on the way from the newest event to older ones. */
class Budget {
  readonly #tokens: number;
  readonly #mostChars: number;
  #said = 0;
  #chars = 0;
  /** Whether the last event begins a turn: only there is a context cut. */
  #begins = false;

  constructor(tokens: number) {
    this.#tokens = tokens;
    this.#mostChars = Math.max(limits.heldPathChars, 16 * tokens);
  }

  add(event: SessionEvent): void {
    this.#said += eventTokens(event);
    this.#chars += jsonChars(event);
    if (event.type !== "user") this.#begins = false;
    else if (event.injected !== true) this.#begins = true;
  }

  isUsedUpBefore(event: SessionEvent): boolean {
    // An estimate may be twice what a model counts.
    const isFull = this.#begins && event.type !== "user" && this.#said > 2 * this.#tokens;
    return isFull || this.#chars > this.#mostChars;
  }
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
