import { compareNumbers } from "./event-name.ts";

/** Of the events told so far the last one that is not behind one that a reader left out; undefined if there is none. */
export function nearestTold(told: readonly string[], missing: string): string | undefined {
  return told.findLast((number) => (compareNumbers(number, missing) ?? 1) <= 0);
}
