import { limits } from "../base/limits.ts";
import { buildContext } from "../context/build.ts";
import type { Estimate } from "../context/estimate.ts";
import { eventTokens, jsonChars } from "../context/tokens.ts";
import type { Step } from "../log/walk.ts";
import type { Damage } from "../model/damage.ts";
import type { EventId, SessionEvent } from "../model/event.ts";
import type { BuiltContext, ContextRequest } from "./conversation.ts";
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

/** Which part of the path a context needs. */
export interface ContextPathOptions {
  readonly at?: EventId | undefined;
  readonly budgetTokens?: number | undefined;
  readonly estimate?: Estimate | undefined;
}

/**
 * Walks from the end to the newest compaction on the path, and on to the first event it keeps, or until a budget is
 * used up for certain. What lies before costs nothing, whatever the size of the session (P5). What opens the session
 * comes along: its first line for the facts, and the instructions it began with; and the newest compaction, where it
 * is not far away.
 */
export function contextPath(log: SessionLog, options: ContextPathOptions = {}): ContextPath {
  const walk = new ContextWalk(options);
  for (const step of log.path(options.at)) if (!walk.take(step)) break;
  if (!walk.isWhole) for (const event of log.events()) if (!walk.takeOpening(event)) break;
  return walk.path();
}

/** What a path becomes for a model. */
export function contextOf(
  { events, damage, unreadBefore }: ContextPath,
  { budgetTokens, estimate }: ContextRequest,
): BuiltContext {
  const how = budgetTokens === undefined ? { estimate } : { budgetTokens, unreadBefore, estimate };
  return { ...buildContext(events, how), damage };
}

/** What of a path a context needs, given its steps one by one: the same for anyone who reads at once and anyone who awaits. */
export class ContextWalk {
  readonly #events: SessionEvent[] = [];
  readonly #opening: SessionEvent[] = [];
  readonly #damage: Damage[] = [];
  readonly #budget: Budget | undefined;
  #stopBelow: EventId | undefined;
  #unreadBefore: EventId | undefined;
  #searchedChars = 0;
  #isWhole = true;

  constructor({ budgetTokens, estimate }: ContextPathOptions = {}) {
    this.#budget = budgetTokens === undefined ? undefined : new Budget(budgetTokens, estimate);
  }

  /** Whether the walk came to the root; otherwise the opening of the session is wanted too. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Takes the next step towards the root; false if no more are wanted. */
  take(step: Step): boolean {
    if (step.kind === "damage") {
      this.#damage.push(step.damage);
      return true;
    }
    const { event } = step;
    if (this.#stopBelow !== undefined && event.id < this.#stopBelow) return this.#stop();
    if (this.#budget?.isUsedUpBefore(event)) this.#unreadBefore ??= this.#events.at(-1)?.id;
    if (this.#unreadBefore !== undefined) return this.#search(event);
    this.#events.push(event);
    this.#budget?.add(event);
    if (event.type === "compaction" && this.#stopBelow === undefined) {
      this.#stopBelow = Math.min(event.keepFrom ?? event.id, event.id);
    }
    return true;
  }

  /** Takes the next event from the beginning on; false if no more are wanted. */
  takeOpening(event: SessionEvent): boolean {
    const before = this.#events.at(-1)?.id ?? 0;
    if (event.id >= before || (event.type !== "session_start" && event.type !== "system"))
      return false;
    this.#opening.push(event);
    return this.#opening.length < openingEvents;
  }

  /** What was taken, root first. */
  path(): ContextPath {
    const events = [...this.#opening, ...this.#events.toReversed()];
    const unreadBefore = this.#unreadBefore;
    const unread = unreadBefore === undefined ? {} : { unreadBefore };
    return { events, damage: this.#damage, whole: this.#isWhole, ...unread };
  }

  /** Over the budget only the summary of what was compacted is still wanted; what it kept is not. */
  #search(event: SessionEvent): boolean {
    if (this.#stopBelow !== undefined) return this.#stop();
    this.#isWhole = false;
    if (event.type === "compaction") this.#events.push({ ...event, keepFrom: event.id });
    this.#searchedChars += jsonChars(event);
    return event.type !== "compaction" && this.#searchedChars <= limits.summarySearchChars;
  }

  #stop(): false {
    this.#isWhole = false;
    return false;
  }
}

/** Says from when on nothing more can fit, on the way from the newest event to older ones. */
class Budget {
  readonly #tokens: number;
  readonly #estimate: Estimate | undefined;
  readonly #mostChars: number;
  #said = 0;
  #chars = 0;
  /** Whether the last event begins a turn: only there is a context cut. */
  #begins = false;

  constructor(tokens: number, estimate: Estimate | undefined) {
    this.#tokens = tokens;
    this.#estimate = estimate;
    this.#mostChars = Math.max(limits.heldPathChars, 16 * tokens);
  }

  add(event: SessionEvent): void {
    this.#said += eventTokens(event, this.#estimate);
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

/** More instructions than these belong to the conversation. */
const openingEvents = 16;
