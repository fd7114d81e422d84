import type { Invocation } from "./command.ts";
import { exitCodes } from "./errors.ts";

/** Flags that choose among what there is. */
const filters = [
  "agent",
  "project",
  "here",
  "since",
  "until",
  "branch",
  "model",
  "author",
  "state",
  "kind",
  "tag",
  "session",
  "changed",
  "type",
  "key",
  "status",
  "from",
  "stale",
  "expired",
] as const;

/** Ends the program with 1, as grep does: what was asked for was not found. */
export function foundNothing(): void {
  process.exitCode = exitCodes.failed;
}

/** Whether a list was asked to choose, by words or by a flag: only then is an empty one a question without an answer. */
export function isFiltered({ flags }: Invocation, words: readonly string[] = []): boolean {
  return words.length > 0 || filters.some((name) => flags.isSet(name));
}

/** What to say where nothing is of the time that was asked for: of which days there is something, if there is. */
export function otherTimes(there: string, span: string, days: readonly string[]): string {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined) return `Nothing ${span}, nor at any other time.`;
  return `Nothing ${span}. ${there} ${first === last ? `on ${first}` : `from ${first} to ${last}`}.`;
}
