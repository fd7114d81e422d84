import type { AgentEvent } from "../../../agents/contract.ts";
import { isOfNamed, sidesOf } from "../../../agents/event-name.ts";
import { limits } from "../../../base/limits.ts";

/** Which events of a session to show; an absent field shows all. */
export interface Selection {
  /** First and last event, by number or native id; `57` takes in `57.2`, `57.3`, … */
  readonly from?: string;
  readonly to?: string;
  readonly last?: number;
  /** One event, by number or native id, with a few around it. */
  readonly focus?: string;
  /** How many stand on each side of that one; a few if absent. */
  readonly beside?: number;
}

/** The selected events, in order; holds no more than what is asked for. */
export async function* selectEvents(
  events: AsyncIterable<AgentEvent>,
  selection: Selection,
): AsyncGenerator<AgentEvent> {
  const ranged = inRange(events, selection);
  if (selection.focus !== undefined) yield* around(ranged, selection.focus, selection.beside);
  else if (selection.last !== undefined) yield* lastOf(ranged, selection.last);
  else yield* ranged;
}

async function* inRange(
  events: AsyncIterable<AgentEvent>,
  { from, to }: Selection,
): AsyncGenerator<AgentEvent> {
  const sideOfFirst = from === undefined ? undefined : sidesOf(from);
  const sideOfLast = to === undefined ? undefined : sidesOf(to);
  for await (const event of events) {
    const isBefore = (sideOfFirst?.(event) ?? 0) < 0;
    const isBehind = (sideOfLast?.(event) ?? 0) > 0;
    if (!isBefore && !isBehind) yield event;
  }
}

async function* lastOf(
  events: AsyncIterable<AgentEvent>,
  count: number,
): AsyncGenerator<AgentEvent> {
  const kept: AgentEvent[] = [];
  let next = 0;
  for await (const event of events) {
    if (count === 0) continue;
    if (kept.length < count) kept.push(event);
    else {
      kept[next] = event;
      next = (next + 1) % count;
    }
  }
  yield* kept.slice(next);
  yield* kept.slice(0, next);
}

async function* around(
  events: AsyncIterable<AgentEvent>,
  name: string,
  beside: number = limits.focusEvents,
): AsyncGenerator<AgentEvent> {
  const before: AgentEvent[] = [];
  let found = false;
  let after = 0;
  for await (const event of events) {
    if (isOfNamed(event, name)) {
      if (!found) yield* before;
      found = true;
      after = 0;
      yield event;
    } else if (found) {
      after += 1;
      if (after > beside) return;
      yield event;
    } else {
      before.push(event);
      if (before.length > beside) before.shift();
    }
  }
}
