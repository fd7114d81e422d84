import { limits } from "../../base/limits.ts";
import { findSecrets } from "../../redact/find.ts";
import type { MemoryEntry } from "../entry.ts";
import { byWeight } from "../entry-line.ts";
import { isInjectable } from "../injectable.ts";
import type { Memory } from "../memory.ts";
import { isStale } from "../stale.ts";
import { publishedLine } from "./published-line.ts";

/** Why a memory that the user stored or approved is not published. */
export type LeftOutWhy = "private" | "stale" | "superseded" | "secret" | "there" | "room";

/** A memory that is not published, and why. */
export interface LeftOut {
  readonly entry: MemoryEntry;
  readonly why: LeftOutWhy;
}

/** What can be published of a namespace, the most important first, and what cannot. */
export interface Publishable {
  readonly entries: readonly MemoryEntry[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * The memories of the open namespace alone that may stand in a page for everyone to read: what the user stored, said or
 * approved, as far as it is current. Proposals that wait are not even counted.
 */
export async function publishableIn(memory: Memory): Promise<Publishable> {
  const query = {
    statuses: ["kept", "proposed"],
    sort: "updated",
    limit: limits.memoryPage,
  } as const;
  const all = (await memory.query(query)).entries.filter(
    (entry) => entry.namespace === memory.namespace.name && isInjectable(entry),
  );
  const current = await memory.query({ ...query, superseded: false });
  const currentIds = new Set(current.entries.map(({ id }) => id));
  const judged = all.map((entry) => ({ entry, why: whyNot(entry, currentIds) }));
  return {
    entries: judged
      .flatMap(({ entry, why }) => (why === undefined ? [entry] : []))
      .toSorted(byWeight),
    leftOut: judged.flatMap(({ entry, why }) => (why === undefined ? [] : [{ entry, why }])),
  };
}

function whyNot(entry: MemoryEntry, currentIds: ReadonlySet<string>): LeftOutWhy | undefined {
  if (entry.access === "private") return "private";
  if (!currentIds.has(entry.id)) return "superseded";
  if (isStale(entry)) return "stale";
  // Also what was masked when it was stored: a placeholder helps nobody.
  const line = publishedLine(entry);
  return findSecrets(line).length > 0 || /\[secret:[a-z-]+:/.test(line) ? "secret" : undefined;
}
