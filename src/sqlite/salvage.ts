import { asNumber, type JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import type { Damage } from "../model/damage.ts";
import { isDatabaseDamage, type ReadDatabase } from "./database.ts";

/**
 * The rows of a table in the order of their rowid, passing over pages that cannot be read: where a
 * step fails, the next rowid that can be reached is searched by galloping and bisection. Select short
 * columns only; the long ones are better fetched row by row, so that one bad page costs one row.
 */
export function* salvageRows(
  database: ReadDatabase,
  query: { readonly table: string; readonly columns: readonly string[]; readonly damage: Damage[] },
): Generator<JsonObject> {
  const columns = ["rowid as rowid", ...query.columns].join(", ");
  const sql = `select ${columns} from ${query.table} not indexed where rowid >= ? order by rowid`;
  let from = Number.MIN_SAFE_INTEGER;
  for (let attempt = 0; attempt < limits.unreadableRanges; attempt += 1) {
    try {
      for (const row of database.rows(sql, from)) {
        const rowid = asNumber(row["rowid"]);
        if (rowid === undefined || rowid < from) continue;
        from = rowid + 1;
        yield row;
      }
      return;
    } catch (error) {
      if (!isDatabaseDamage(error)) throw error;
      const next = nextReadable(database, query.table, from);
      query.damage.push({
        kind: "database",
        offset: Math.max(0, from),
        recovered: 0,
        detail: `rows of ${query.table} from ${Math.max(0, from)} to ${next ?? "the end"} cannot be read`,
        ...(next === undefined ? {} : { length: next - Math.max(0, from) }),
      });
      if (next === undefined) return;
      from = next;
    }
  }
}

/** The smallest rowid at or after `from` that can be reached, found in at most a hundred probes. */
function nextReadable(database: ReadDatabase, table: string, from: number): number | undefined {
  const base = Math.max(0, from);
  let failed = 0;
  let reached: number | undefined;
  for (let step = 1; step < 2 ** 40; step *= 2) {
    const found = probe(database, table, base + step);
    if (found === "end") break;
    if (found !== "damaged") {
      reached = step;
      break;
    }
    failed = step;
  }
  if (reached === undefined) return undefined;
  while (reached - failed > 1) {
    const middle = Math.floor((failed + reached) / 2);
    if (typeof probe(database, table, base + middle) === "number") reached = middle;
    else failed = middle;
  }
  const found = probe(database, table, base + reached);
  return typeof found === "number" ? found : undefined;
}

function probe(database: ReadDatabase, table: string, from: number): number | "damaged" | "end" {
  try {
    const sql = `select rowid as rowid from ${table} not indexed where rowid >= ? order by rowid limit 1`;
    const row = database.first(sql, from);
    return asNumber(row?.["rowid"]) ?? "end";
  } catch (error) {
    if (isDatabaseDamage(error)) return "damaged";
    throw error;
  }
}
