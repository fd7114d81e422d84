import type { AgentEvent } from "../../../agents/contract.ts";
import { limits } from "../../../base/limits.ts";
import { recordOf } from "../../../model/event-number.ts";

/** Which events of a session to show; an absent field shows all. */
export interface Selection {
  /** First and last event, by number; `57` takes in `57.2`, `57.3`, … */
  readonly from?: string;
  readonly to?: string;
  readonly last?: number;
  /** One event, by number or native id, with a few around it. */
  readonly focus?: string;
}

/** Orders event numbers: `57` < `57.2` < `57.3` < `58` < `b60000000`. */
export function compareNumbers(a: string, b: string): number {
  const one = partsOf(a);
  const two = partsOf(b);
  return one.kind - two.kind || one.major - two.major || one.minor - two.minor;
}

/** A number's parts: beyond what was counted in lines come byte offsets, `b123`. */
function partsOf(number: string): {
  readonly kind: number;
  readonly major: number;
  readonly minor: number;
} {
  const [, offset, major = "0", minor = "1"] = /^(b?)(\d+)[^.]*(?:\.(\d+))?/.exec(number) ?? [];
  return { kind: offset === "b" ? 1 : 0, major: Number(major), minor: Number(minor) };
}

/** Whether a number or native id names this event. */
export function isNamed(event: AgentEvent, name: string): boolean {
  if (event.number === name || event.uuid === name) return true;
  if (/^b?\d+$/.test(name)) return recordOf(event.number) === name;
  return event.uuid !== undefined && name.length >= 6 && event.uuid.startsWith(name);
}

/** The selected events, in order; holds no more than what is asked for. */
export async function* selectEvents(
  events: AsyncIterable<AgentEvent>,
  selection: Selection,
): AsyncGenerator<AgentEvent> {
  const ranged = inRange(events, selection);
  if (selection.focus !== undefined) yield* around(ranged, selection.focus);
  else if (selection.last !== undefined) yield* lastOf(ranged, selection.last);
  else yield* ranged;
}

async function* inRange(
  events: AsyncIterable<AgentEvent>,
  { from, to }: Selection,
): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    if (from !== undefined && compareNumbers(event.number, from) < 0) continue;
    if (to !== undefined && !isNamed(event, to) && compareNumbers(event.number, to) > 0) continue;
    yield event;
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
): AsyncGenerator<AgentEvent> {
  const before: AgentEvent[] = [];
  let found = false;
  let after = 0;
  for await (const event of events) {
    if (isNamed(event, name)) {
      if (!found) yield* before;
      found = true;
      after = 0;
      yield event;
    } else if (found) {
      after += 1;
      if (after > limits.focusEvents) return;
      yield event;
    } else {
      before.push(event);
      if (before.length > limits.focusEvents) before.shift();
    }
  }
}
