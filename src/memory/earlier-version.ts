import { isoNow } from "../base/clock.ts";
import { RepriseError } from "../base/errors.ts";
import type { MemoryEntry } from "./entry.ts";
import type { StoredEntry } from "./fact.ts";
import type { ReadFact } from "./namespace-log.ts";

type Facts = Iterable<Pick<ReadFact, "fact">>;

/** An earlier version of an entry as its next one; throws `not_found` where a clean-up removed it. */
export function earlierVersion(
  facts: Facts,
  { id, key, version: now }: Pick<MemoryEntry, "id" | "key" | "version">,
  version: number,
): StoredEntry {
  const found = versionsIn(facts, id).find((one) => one.version === version);
  if (found !== undefined) return { ...found, version: now + 1, updatedAt: isoNow() };
  throw new RepriseError("not_found", `Version ${version} of ${JSON.stringify(key)} is gone.`, {
    hint: "`reprise memory clean --keep-versions` removes older versions.",
  });
}

/** Whether an entry says what it said in a version, also where others came and went between the two. */
export function isAsInVersion(facts: Facts, id: string, version: number): boolean {
  const versions = versionsIn(facts, id);
  const then = versions.find((one) => one.version === version);
  const now = versions.at(-1);
  return then !== undefined && now !== undefined && contentOf(then) === contentOf(now);
}

function versionsIn(facts: Facts, id: string): readonly StoredEntry[] {
  return [...facts].flatMap(({ fact }) =>
    fact.kind === "put" && fact.entry.id === id ? [fact.entry] : [],
  );
}

function contentOf(entry: StoredEntry): string {
  return JSON.stringify({ ...entry, version: 0, updatedAt: "" });
}
