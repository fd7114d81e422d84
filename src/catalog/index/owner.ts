import { sourceState } from "./schema.ts";

/** What decides which of two sources an event belongs to that both have. */
export interface Owner {
  readonly id: number;
  readonly state: number;
  readonly created: number;
  readonly path: string;
}

/** Whether it is the first one's: that which is still there, else began earlier. */
export function isBefore(a: Owner, b: Owner): boolean {
  const [aGone, bGone] = [a.state === sourceState.gone, b.state === sourceState.gone];
  if (aGone !== bGone) return bGone;
  return a.created - b.created < 0 || (a.created === b.created && a.path < b.path);
}
