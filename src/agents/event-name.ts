import type { AgentEvent } from "./contract.ts";

/**
 * How people name an event: by its number as it is printed (`57`, `57.2`, `b81234567`, `103~1e44d050`, a subagent's
 * `a4dacf3c/12`, a task's `tasks/1`) or by the agent's own id. A name never holds `@`, which stands before it.
 */
export const eventName =
  /^(?:[\w-]{1,128}\/)?[\w-]{1,128}(?:\.\d{1,15}){0,2}(?:~\w{1,16})?(?:\.\d{1,15}){0,2}$/;

type Named = Pick<AgentEvent, "number" | "uuid">;

/** So much of a native id names it; less may be a number. */
const leastIdChars = 6;

/** Whether a name is this event's number or native id, or the beginning of its id. */
export function isNamed({ number, uuid }: Named, name: string): boolean {
  if (number === name) return true;
  return uuid !== undefined && name.length >= leastIdChars && uuid.startsWith(name);
}

/** Whether a name is this event's, or that of the record it is one of several events of. */
export function isOfNamed(event: Named, name: string): boolean {
  if (isNamed(event, name)) return true;
  return event.number.startsWith(`${name}.`) && placeIn(name) !== undefined;
}

/** Whether only reading everything finds what has this name: subagents and tasks lie beside the transcript. */
export function liesBeside(name: string): boolean {
  return name.includes("/");
}

/** A number's parts; undefined for a native id. */
interface Place {
  /** What is numbered for itself: a subagent's transcript, a list, a later file of the same session. */
  readonly lane: string;
  readonly segment: string;
  /** Beyond what was counted in lines come byte offsets, `b123`. */
  readonly counts: readonly number[];
}

const numbered = /^(?:(.+)\/)?(b?)(\d+)((?:\.\d+)*)(?:~(\w+))?((?:\.\d+)*)$/;

function placeIn(number: string): Place | undefined {
  const found = numbered.exec(number);
  if (found === null) return undefined;
  const [, lane = "", offset, record, twin = "", segment = "", part = ""] = found;
  const parts = `${twin}${part}`.split(".").slice(1);
  return {
    lane,
    segment,
    counts: [offset === "b" ? 1 : 0, Number(record), ...parts.map(Number)],
  };
}

/**
 * Orders an event's number and a name: `57` < `57.2` < `57.3` < `58` < `b60000000`; undefined where neither comes
 * before the other. A name without a segment counts on through all of them.
 */
export function compareNumbers(number: string, name: string): number | undefined {
  const one = placeIn(number);
  const two = placeIn(name);
  if (one === undefined || two === undefined || one.lane !== two.lane) return undefined;
  if (two.segment !== "" && one.segment !== two.segment) return undefined;
  const length = Math.max(one.counts.length, two.counts.length);
  for (let at = 0; at < length; at += 1) {
    const difference = (one.counts[at] ?? 0) - (two.counts[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Says for each event, in the order they are read, whether it lies before a named one (below 0), is it (0) or
 * lies behind it. What is numbered for itself lies before until its lane was read, and behind from then on.
 */
export function sidesOf(name: string): (event: Named) => number {
  let isPassed = false;
  return (event) => {
    const side = isOfNamed(event, name) ? 0 : compareNumbers(event.number, name);
    if (side === undefined) return isPassed ? 1 : -1;
    isPassed = true;
    return side;
  };
}
