import { isoOf } from "../base/clock.ts";
import type { Connection } from "../sqlite/connection.ts";
import type { MemoryType } from "./entry.ts";
import { conditionOf, type Reader } from "./filter.ts";

/** What a clean-up does. */
export interface CleanOptions {
  /** Forget what has expired. Default true. */
  readonly expired?: boolean;
  /** Forget all but the newest of entries with the same value. */
  readonly duplicates?: boolean;
  /** Put away what nobody changed or looked at for so many days. */
  readonly archiveDays?: number;
  /** Only entries of these types. */
  readonly types?: readonly MemoryType[];
  /** Do it; without it the plan is returned. */
  readonly apply?: boolean;
}

/** The ids of what a clean-up forgets or puts away. */
export interface Cleaned {
  readonly expired: readonly string[];
  readonly duplicates: readonly string[];
  readonly archive: readonly string[];
}

/** What a clean-up would do. */
export function cleaningOf(
  connection: Connection,
  { expired = true, duplicates = false, archiveDays, types }: CleanOptions,
  reader: Reader,
): Cleaned {
  const ids = (given: Parameters<typeof conditionOf>[0], more = "1"): readonly string[] => {
    const query = { ...given, ...(types !== undefined && { types }) };
    const { sql, values } = conditionOf(query, reader);
    const rows = connection
      .prepare(`select entry.id from entry where ${sql} and ${more}`)
      .all(...values) as readonly { readonly id: string }[];
    return rows.map(({ id }) => id);
  };
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
