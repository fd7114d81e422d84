import { isoNow, isoOf } from "../base/clock.ts";
import { statOf } from "../base/folders.ts";
import { limits } from "../base/limits.ts";
import type { Connection } from "../sqlite/connection.ts";
import { type Condition, conditionOf, type Reader } from "./filter.ts";
import { entryOf, findMemories, type Row } from "./find.ts";
import { everyMemory } from "./named.ts";
import type { MemoryQuery } from "./query.ts";

/** What memories can be counted by. */
export const groupings = [
  "namespace",
  "type",
  "owner",
  "tag",
  "day",
  "status",
  "access",
  "provenance",
] as const;
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
  readonly distribution: Readonly<
    Record<
      "types" | "owners" | "access" | "namespaces" | "tags" | "statuses" | "provenance",
      readonly MemoryGroup[]
    >
  >;
  readonly temporal: {
    readonly oldest?: string;
    readonly newest?: string;
    readonly lastDay: number;
    readonly lastWeek: number;
    readonly neverAccessed: number;
    /** Changes by day, the newest first. */
    readonly days: readonly MemoryGroup[];
  };
  readonly performance: {
    readonly compressed: number;
    readonly largestBytes: number;
    readonly averageBytes: number;
    /** What the logs and the index take on the disk. */
    readonly logBytes: number;
    readonly indexBytes: number;
    /** How long a look at the newest page took just now. */
    readonly queryMs: number;
  };
  readonly health: {
    readonly expired: number;
    /** Speak of entries that are not there. */
    readonly orphaned: number;
    readonly stale: number;
    /** Lines of the logs that could not be read, and entries whose value does not fit its checksum. */
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
  provenance: "entry.provenance",
} as const;

/** Counts the memories of a query by something they have in common, the largest group first. */
export function groupMemories(
  connection: Connection,
  by: Grouping,
  { query = {}, reader }: { readonly query?: MemoryQuery; readonly reader: Reader },
): readonly MemoryGroup[] {
  const { sql, values } = looksInside(query)
    ? foundCondition(connection, query, reader)
    : conditionOf(query, reader);
  const from = by === "tag" ? "entry join tag on tag.row = entry.row" : "entry";
  const order = by === "day" ? "name desc" : "count desc, name";
  return connection
    .prepare(
      `select ${columns[by]} as name, count(*) as count, sum(entry.size) as sizeBytes, max(entry.updated) as newest
        from ${from} where ${sql} group by name order by ${order}`,
    )
    .all(...values) as readonly MemoryGroup[];
}

/** Whether the tables alone do not say which entries a query means. */
function looksInside({ text, similarTo, keyPattern, stale }: MemoryQuery): boolean {
  return [text, similarTo, keyPattern, stale].some((one) => one !== undefined);
}

/** A condition that holds for the entries that a query finds. */
function foundCondition(connection: Connection, query: MemoryQuery, reader: Reader): Condition {
  const ids: string[] = [];
  for (let offset = 0; ; offset += limits.memoryPage) {
    const page = { ...query, limit: limits.memoryPage, offset };
    const { entries } = findMemories(connection, page, reader);
    ids.push(...entries.map(({ id }) => id));
    if (entries.length < limits.memoryPage) break;
  }
  return { sql: "entry.id in (select value from json_each(?))", values: [JSON.stringify(ids)] };
}

const shownDays = 30;

/** How the memories that a reader may see stand. */
export function statisticsOf(
  connection: Connection,
  place: { readonly reader: Reader; readonly logs: readonly string[]; readonly index: string },
): MemoryStatistics {
  const { reader } = place;
  const { sql, values } = conditionOf(everyMemory, reader);
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
  const group = (by: Grouping) => groupMemories(connection, by, { query: everyMemory, reader });
  const daysAgo = (days: number): string => isoOf(Date.now() - days * 86_400_000);
  const began = performance.now();
  findMemories(connection, {}, reader);
  const queryMs = Math.round((performance.now() - began) * 100) / 100;
  return {
    overview: {
      entries: sums.entries,
      sizeBytes: sums.sizeBytes,
      versions: sums.versions,
      proposed: count("status = 'proposed'"),
      archived: count("status = 'archived'"),
    },
    distribution: {
      types: group("type"),
      owners: group("owner"),
      access: group("access"),
      namespaces: group("namespace"),
      tags: group("tag"),
      statuses: group("status"),
      provenance: group("provenance"),
    },
    temporal: {
      ...(sums.oldest !== null && { oldest: sums.oldest }),
      ...(sums.newest !== null && { newest: sums.newest }),
      lastDay: count("updated >= ?", daysAgo(1)),
      lastWeek: count("updated >= ?", daysAgo(7)),
      neverAccessed: count("accessed is null"),
      days: group("day").slice(0, shownDays),
    },
    performance: {
      compressed: count("compressed = 1"),
      largestBytes: sums.largest,
      averageBytes: sums.entries === 0 ? 0 : Math.round(sums.sizeBytes / sums.entries),
      logBytes: place.logs.reduce((sum, file) => sum + (statOf(file)?.size ?? 0), 0),
      indexBytes: statOf(place.index)?.size ?? 0,
      queryMs,
    },
    health: {
      expired: count("expires is not null and expires <= ?", isoNow()),
      orphaned:
        count(`row in (select link.row from link where link.kind in ('reference', 'dependency')
        and not exists (select 1 from entry other where other.id = link.target or other.key = link.target))`),
      stale: findMemories(connection, { ...everyMemory, hasEvidence: true, stale: true }, reader)
        .total,
      damaged: damagedIn(connection, reader) + corrupted(connection, { sql, values }),
    },
  };
}

function damagedIn(connection: Connection, { namespaces }: Reader): number {
  const row = connection
    .prepare(
      "select coalesce(sum(damaged), 0) as damaged from log where namespace in (select value from json_each(?))",
    )
    .get(JSON.stringify(namespaces));
  return (row as { damaged: number }).damaged;
}

/** Entries whose value is not the one that was stored. */
function corrupted(connection: Connection, { sql, values }: Condition): number {
  const rows = connection
    .prepare(`select namespace, key, accessed, stored from entry where ${sql}`)
    .iterate(...values) as Iterable<Row>;
  let count = 0;
  for (const row of rows) if (entryOf(row) === undefined) count += 1;
  return count;
}

interface Sums {
  readonly entries: number;
  readonly sizeBytes: number;
  readonly versions: number;
  readonly oldest: string | null;
  readonly newest: string | null;
  readonly largest: number;
}
