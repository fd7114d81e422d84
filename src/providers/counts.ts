import { asCount, isObject } from "../base/json.ts";
import type { Usage } from "../model/usage.ts";

/** Where an API keeps each count: a field, or a path of fields joined by dots. */
export type CountNames = Partial<
  Record<"input" | "output" | "cacheRead" | "cacheWrite" | "reasoning", string>
>;

/** The usage an API reports; undefined if it reports none. */
export function countsIn(usage: unknown, names: CountNames): Usage | undefined {
  const counts = Object.entries(names).flatMap(([field, path]) => {
    const count = asCount(at(usage, path));
    return count === undefined ? [] : [[field, count] as const];
  });
  return counts.length === 0 ? undefined : Object.fromEntries(counts);
}

/** Input that was not read from a cache: some APIs count what was within it. */
export function withoutCached(usage: Usage | undefined): Usage | undefined {
  if (usage?.input === undefined || usage.cacheRead === undefined) return usage;
  return { ...usage, input: Math.max(0, usage.input - usage.cacheRead) };
}

function at(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split(".")) found = isObject(found) ? found[name] : undefined;
  return found;
}
