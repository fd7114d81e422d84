import { isoOf } from "../base/clock.ts";
import type { Connection } from "../sqlite/connection.ts";
import type { Spared } from "./compact.ts";
import type { MemoryType } from "./entry.ts";
import { conditionOf, type Reader } from "./filter.ts";
import type { MemoryQuery } from "./query.ts";

/** What a clean-up does. */
export interface CleanOptions {
  /** Forget what has expired. Default true. */
  readonly expired?: boolean;
  /** Forget all but the newest of entries with the same value. */
  readonly duplicates?: boolean;
  /** Put away what nobody changed or looked at for so many days. */
  readonly archiveDays?: number;
  /** Write the log anew without what nobody needs: older notes of looks, values that can be compressed. */
  readonly compress?: boolean;
  /** With `compress`: only so many of the newest versions of each entry. */
  readonly keepVersions?: number;
  /** Only entries of these types. */
  readonly types?: readonly MemoryType[];
  /** Do it; without it the plan is returned. */
  readonly apply?: boolean;
}

/** The ids of what a clean-up forgets or puts away, and what the log can do without. */
export interface Cleaned {
  readonly expired: readonly string[];
  readonly duplicates: readonly string[];
  readonly archive: readonly string[];
  readonly compress?: Spared;
}

/** What a reset forgets. */
export interface ResetOptions {
  /** Only entries of these types; else all. */
  readonly types?: readonly MemoryType[];
  /** Do it; without it the ids are returned. */
  readonly apply?: boolean;
}

/** The ids of all entries that a query means as far as the tables say, and that a further condition of SQL holds for. */
export function idsOf(
  connection: Connection,
  query: MemoryQuery,
  { reader, more = "1" }: { readonly reader: Reader; readonly more?: string | undefined },
): readonly string[] {
  const { sql, values } = conditionOf(query, reader);
  const rows = connection
    .prepare(`select entry.id from entry where ${sql} and ${more}`)
    .all(...values) as readonly { readonly id: string }[];
  return rows.map(({ id }) => id);
}

/** What a clean-up would do. */
export function cleaningOf(
  connection: Connection,
  { expired = true, duplicates = false, archiveDays, types }: CleanOptions,
  reader: Reader,
): Cleaned {
  const ids = (given: MemoryQuery, more?: string): readonly string[] =>
    idsOf(connection, { ...given, ...(types !== undefined && { types }) }, { reader, more });
  const gone = expired ? ids({ statuses: "all", expired: true }) : [];
  const same = `exists (select 1 from entry newer where newer.namespace = entry.namespace
    and newer.checksum = entry.checksum and newer.owner = entry.owner and newer.status = entry.status
    and (newer.updated > entry.updated or (newer.updated = entry.updated and newer.row > entry.row)))`;
  const unused =
    archiveDays === undefined
      ? []
      : ids(
          { updated: { to: isoOf(Date.now() - archiveDays * 86_400_000) } },
          `coalesce(entry.accessed, '') < '${isoOf(Date.now() - archiveDays * 86_400_000)}'`,
        );
  return {
    expired: gone,
    duplicates: duplicates ? ids({}, same) : [],
    archive: unused,
  };
}
