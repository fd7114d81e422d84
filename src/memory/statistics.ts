import { isoNow, isoOf } from "../base/clock.ts";
import type { Connection } from "../sqlite/connection.ts";
import { conditionOf, type Reader } from "./filter.ts";
import { findMemories } from "./find.ts";
import type { MemoryQuery } from "./query.ts";

/** What memories can be counted by. */
export const groupings = ["namespace", "type", "owner", "tag", "day", "status", "access"] as const;
/** One of these groupings. */
export type Grouping = (typeof groupings)[number];

/** Memories that share something. */
export interface MemoryGroup {
  readonly name: string;
  readonly count: number;
  readonly sizeBytes: number;
  readonly newest: string;
}

/** How memories stand. */
export interface MemoryStatistics {
  readonly overview: {
    readonly entries: number;
    readonly sizeBytes: number;
    readonly versions: number;
    readonly proposed: number;
    readonly archived: number;
  };
  readonly distribution: Readonly<Record<"types" | "owners" | "access", readonly MemoryGroup[]>>;
  readonly temporal: {
    readonly oldest?: string;
    readonly newest?: string;
    readonly lastDay: number;
    readonly lastWeek: number;
    readonly neverAccessed: number;
  };
  readonly performance: { readonly compressed: number; readonly largestBytes: number };
  readonly health: {
    readonly expired: number;
    /** Speak of entries that are not there. */
    readonly orphaned: number;
    readonly stale: number;
    /** Lines of the log that could not be read. */
    readonly damaged: number;
  };
}

const columns = {
  namespace: "entry.namespace",
  type: "entry.type",
  owner: "entry.owner",
  tag: "tag.tag",
  day: "substr(entry.updated, 1, 10)",
  status: "entry.status",
  access: "entry.access",
} as const;

/** Counts the memories of a query by something they have in common, the largest group first. */
export function groupMemories(
  connection: Connection,
  by: Grouping,
  { query = {}, reader }: { readonly query?: MemoryQuery; readonly reader: Reader },
): readonly MemoryGroup[] {
  const { sql, values } = conditionOf(query, reader);
  const from = by === "tag" ? "entry join tag on tag.row = entry.row" : "entry";
  const order = by === "day" ? "name desc" : "count desc, name";
  return connection
    .prepare(
      `select ${columns[by]} as name, count(*) as count, sum(entry.size) as sizeBytes, max(entry.updated) as newest
        from ${from} where ${sql} group by name order by ${order}`,
    )
    .all(...values) as readonly MemoryGroup[];
}

/** How the memories that a reader may see stand. */
export function statisticsOf(connection: Connection, reader: Reader): MemoryStatistics {
  const all: MemoryQuery = { statuses: "all", expired: "any" };
  const { sql, values } = conditionOf(all, reader);
  const count = (condition: string, ...more: readonly string[]): number => {
    const row = connection
      .prepare(`select count(*) as counted from entry where ${sql} and ${condition}`)
      .get(...values, ...more);
    return (row as { counted: number }).counted;
  };
  const sums = connection
    .prepare(
      `select count(*) as entries, coalesce(sum(size), 0) as sizeBytes, coalesce(sum(version), 0) as versions,
        min(created) as oldest, max(updated) as newest, coalesce(max(size), 0) as largest from entry where ${sql}`,
    )
    .get(...values) as Sums;
  const group = (by: Grouping) => groupMemories(connection, by, { query: all, reader });
  const daysAgo = (days: number): string => isoOf(Date.now() - days * 86_400_000);
  const damaged = connection.prepare("select coalesce(sum(damaged), 0) as damaged from log").get();
  return {
    overview: {
      entries: sums.entries,
      sizeBytes: sums.sizeBytes,
      versions: sums.versions,
      proposed: count("status = 'proposed'"),
      archived: count("status = 'archived'"),
    },
    distribution: { types: group("type"), owners: group("owner"), access: group("access") },
    temporal: {
      ...(sums.oldest !== null && { oldest: sums.oldest }),
      ...(sums.newest !== null && { newest: sums.newest }),
      lastDay: count("updated >= ?", daysAgo(1)),
      lastWeek: count("updated >= ?", daysAgo(7)),
      neverAccessed: count("accessed is null"),
    },
    performance: { compressed: count("compressed = 1"), largestBytes: sums.largest },
    health: {
      expired: count("expires is not null and expires <= ?", isoNow()),
      orphaned:
        count(`row in (select link.row from link where link.kind in ('reference', 'dependency')
        and not exists (select 1 from entry other where other.id = link.target or other.key = link.target))`),
      stale: findMemories(connection, { ...all, hasEvidence: true, stale: true }, reader).total,
      damaged: (damaged as { damaged: number }).damaged,
    },
  };
}

interface Sums {
  readonly entries: number;
  readonly sizeBytes: number;
  readonly versions: number;
  readonly oldest: string | null;
  readonly newest: string | null;
  readonly largest: number;
}
