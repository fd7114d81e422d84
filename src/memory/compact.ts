import { limits } from "../base/limits.ts";
import type { MemoryFact } from "./fact.ts";
import type { ReadFact } from "./namespace-log.ts";
import { jsonOf, packJson } from "./value.ts";

/** How much a log can do without. */
export interface Spared {
  /** Notes of looks that a later one replaces. */
  readonly looks: number;
  /** Versions older than those that are kept. */
  readonly versions: number;
  /** Values that are stored plain and can be compressed. */
  readonly values: number;
}

/** What a log can do without. */
export interface Compaction {
  readonly spared: Spared;
  /** The fact as it is kept; undefined if it goes. */
  keep(fact: MemoryFact): MemoryFact | undefined;
}

/** What a log can do without; what is appended meanwhile is kept as it is. */
export function compactionOf(
  facts: Iterable<Pick<ReadFact, "fact">>,
  keepVersions = Number.POSITIVE_INFINITY,
): Compaction {
  const versions = new Map<string, string[]>();
  const lastLook = new Map<string, string>();
  const large = new Set<string>();
  let looks = 0;
  for (const { fact } of facts) {
    if (fact.kind === "put") {
      const ops = versions.get(fact.entry.id);
      if (ops === undefined) versions.set(fact.entry.id, [fact.op]);
      else ops.push(fact.op);
      if (isPlainAndLarge(fact)) large.add(fact.op);
    } else if (fact.kind === "touch")
      for (const id of fact.ids) {
        if (lastLook.has(id)) looks += 1;
        lastLook.set(id, fact.op);
      }
  }
  const kept = Math.max(1, keepVersions);
  const gone = new Set([...versions.values()].flatMap((ops) => ops.slice(0, -kept)));
  const known = new Set(lastLook.values());
  return {
    spared: {
      looks,
      versions: gone.size,
      values: [...large].filter((op) => !gone.has(op)).length,
    },
    keep: (fact) => {
      if (fact.kind === "put") return gone.has(fact.op) ? undefined : packed(fact);
      if (fact.kind === "forget") return fact;
      const ids = fact.ids.filter((id) => !lastLook.has(id) || lastLook.get(id) === fact.op);
      if (known.has(fact.op) && ids.length === fact.ids.length) return fact;
      return ids.length === 0 ? undefined : { ...fact, ids };
    },
  };
}

type Put = Extract<MemoryFact, { kind: "put" }>;

function isPlainAndLarge({ entry }: Put): boolean {
  return entry.json !== undefined && entry.sizeBytes > limits.memoryPlainBytes;
}

function packed(fact: Put): Put {
  const json = isPlainAndLarge(fact) ? jsonOf(fact.entry) : undefined;
  if (json === undefined) return fact;
  const { json: _plain, ...rest } = fact.entry;
  return { ...fact, entry: { ...rest, ...packJson(json) } };
}
