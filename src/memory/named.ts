import { RepriseError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import type { MemoryEntry } from "./entry.ts";
import type { MemoryQuery } from "./query.ts";
import { textOf } from "./value.ts";

/** Shorter beginnings of an id are words. */
const idStart = /^[0-9a-f][0-9a-f-]{3,}$/;

/** A query for whatever is there, in whichever state. */
export const everyMemory = { statuses: "all", expired: "any" } as const;

/**
 * The one entry that a reference names: its whole key or id, else the beginning of one. Of several with the same key the
 * nearest is meant. Throws `not_found`, or `ambiguous` with what may be meant.
 */
export function entryNamed(
  reference: string,
  find: (query: MemoryQuery) => readonly MemoryEntry[],
  nearness: (entry: MemoryEntry) => number,
): MemoryEntry {
  const whole =
    reference === "" ? undefined : entryExactly(reference, find, { nearness, ...everyMemory });
  if (whole !== undefined) return whole;
  const limit = limits.memoryPage;
  const starts = reference === "" ? [] : [{ keyPrefix: reference }];
  const queries = idStart.test(reference) ? [{ idPrefix: reference }, ...starts] : starts;
  for (const query of queries) {
    const found = find({ ...query, ...everyMemory, limit });
    if (found.length === 1) return found[0]!;
    if (found.length > 1) throw ambiguous(reference, found);
  }
  throw unknownMemory(reference);
}

/** The error for a key or id that no entry has, as far as the caller may see. */
export function unknownMemory(reference: string): RepriseError {
  return new RepriseError("not_found", `There is no memory ${JSON.stringify(reference)}.`, {
    hint: "`reprise memory list` shows what is there; nothing was changed.",
  });
}

/** The entry of a whole key, the nearest of several, or of a whole id. */
export function entryExactly(
  keyOrId: string,
  find: (query: MemoryQuery) => readonly MemoryEntry[],
  options: Pick<MemoryQuery, "statuses" | "expired"> & { nearness(entry: MemoryEntry): number },
): MemoryEntry | undefined {
  const { nearness, ...which } = options;
  const byKey = find({ key: keyOrId, ...which }).toSorted((a, b) => nearness(b) - nearness(a))[0];
  return byKey ?? find({ ids: [keyOrId], ...which, statuses: "all" })[0];
}

function ambiguous(reference: string, found: readonly MemoryEntry[]): RepriseError {
  const candidates = found.slice(0, limits.candidates).map(({ id, key, value }) => ({
    ref: id,
    title: `${key}: ${textOf(value).slice(0, 80).toWellFormed()}`,
  }));
  const says = `${JSON.stringify(reference)} matches ${found.length} memories:`;
  return new RepriseError("ambiguous", says, {
    hint: "Give the whole key or more of the id; nothing was changed.",
    details: { reference, count: found.length, candidates },
  });
}
