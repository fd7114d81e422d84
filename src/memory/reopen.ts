import { isoNow } from "../base/clock.ts";
import { RepriseError } from "../base/errors.ts";
import type { MemoryEntry } from "./entry.ts";
import type { StoredEntry } from "./fact.ts";
import { isPending } from "./follow-log.ts";
import type { ReadFact } from "./namespace-log.ts";

/**
 * What takes a decision back: the entry as it was while it waited, and the entry whose key it took when it was approved.
 * Throws `conflict` for one that waits still, or never did.
 */
export function reopened(
  facts: Iterable<Pick<ReadFact, "fact">>,
  { id, key, owner }: Pick<MemoryEntry, "id" | "key" | "owner">,
): readonly StoredEntry[] {
  let now: StoredEntry | undefined;
  let waiting: StoredEntry | undefined;
  let before: StoredEntry | undefined;
  let replaced: StoredEntry | undefined;
  for (const { fact } of facts) {
    if (fact.kind !== "put") continue;
    const { entry } = fact;
    if (entry.id === id) {
      if (entry.status === "proposed") waiting = entry;
      else if (now?.status === "proposed") replaced = before;
      now = entry;
    } else if (entry.key === key && entry.owner === owner && !isPending(entry)) {
      before = entry;
      // Somebody stored the key again since: that stands.
      replaced = undefined;
    }
  }
  if (now === undefined || waiting === undefined || now.status === "proposed")
    throw new RepriseError("conflict", `There is no decision on ${JSON.stringify(key)}.`, {
      hint: "Only what was approved or rejected in the inbox can go back into it.",
    });
  const { approvedBy: _agreed, ...old } = waiting;
  const back = { ...old, version: now.version + 1, updatedAt: isoNow() };
  if (replaced === undefined || now.status !== "kept") return [back];
  return [back, { ...replaced, version: replaced.version + 1, updatedAt: isoNow() }];
}
