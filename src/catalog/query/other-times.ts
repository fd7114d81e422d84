import type { FinderOptions, Ground } from "./finder.ts";
import type { Mention } from "./found.ts";
import { gatherHits } from "./gather-hits.ts";
import { newestFirst } from "./newest-first.ts";
import type { Filter } from "./query.ts";
import type { Understood } from "./request.ts";
import { factsOfSource } from "./session-filter.ts";

/** Whether a query asks for a time. */
export function asksTime({ query }: Understood): boolean {
  return query.filters.some(isOfTime);
}

function isOfTime({ key }: Filter): boolean {
  return key === "since" || key === "until";
}

/** The newest event that a query would find at any time; undefined if there is none. */
export async function atOtherTimes(
  ground: Ground,
  asked: Understood,
  options: FinderOptions,
): Promise<Mention | undefined> {
  const filters = asked.query.filters.filter((filter) => !isOfTime(filter));
  const timeless = { ...asked, query: { ...asked.query, filters } };
  return asked.mode.kind === "words"
    ? byWords(ground, timeless, options)
    : byReading(ground, timeless, options);
}

async function byWords(
  ground: Ground,
  asked: Understood,
  options: FinderOptions,
): Promise<Mention | undefined> {
  const { hits, read, sourceOf } = await gatherHits(ground, asked, options);
  const newest = newestOf(hits);
  if (newest === undefined) return undefined;
  const { source, number, at } = newest;
  const { agent, session } =
    source < 0 ? read[-1 - source]!.facts : factsOfSource(sourceOf(source));
  return { agent, session, number, at };
}

async function byReading(
  ground: Ground,
  asked: Understood,
  options: FinderOptions,
): Promise<Mention | undefined> {
  const { readSessions } = await import("./read-pending.ts");
  for await (const { facts, hits } of readSessions(
    await newestFirst(ground, options),
    asked,
    options,
  )) {
    const newest = newestOf(hits);
    if (newest === undefined) continue;
    return { agent: facts.agent, session: facts.session, number: newest.number, at: newest.at };
  }
  return undefined;
}

/** The newest of some events that have a time. */
function newestOf<T extends { readonly at: number | null }>(
  hits: readonly T[],
): (Omit<T, "at"> & { readonly at: string }) | undefined {
  let newest: T | undefined;
  for (const hit of hits)
    if (hit.at !== null && hit.at >= (newest?.at ?? Number.NEGATIVE_INFINITY)) newest = hit;
  return newest && { ...newest, at: new Date((newest.at ?? 0) * 1000).toISOString() };
}
