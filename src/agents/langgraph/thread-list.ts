import { isRepriseError } from "../../base/errors.ts";
import { asCount, asString } from "../../base/json.ts";
import type { Damage } from "../../model/damage.ts";
import { isDatabaseDamage } from "../../sqlite/database.ts";
import { openForReading } from "../../sqlite/open.ts";
import { remembered } from "../../sqlite/remembered.ts";
import { momentOfId } from "./checkpoint-id.ts";
import { carvedRows } from "./read/carved-source.ts";

/** A thread of a database: its newest checkpoint of the whole graph. */
export interface ListedThread {
  readonly thread: string;
  readonly checkpoint: string;
  readonly checkpoints: number;
  readonly modifiedMs: number;
}

/** The threads of one state of a database. */
export interface ThreadList {
  readonly threads: ReadonlyMap<string, ListedThread>;
  readonly damage: readonly Damage[];
}

/**
 * The threads of a database by one query over its key, remembered until its files change; undefined if it is no
 * database of checkpoints.
 */
export const threadsIn: (path: string) => ThreadList | undefined = remembered(listed, 8);

/** The columns that tell a table of checkpoints from another one of this name. */
const needed = ["thread_id", "checkpoint_ns", "checkpoint_id", "type", "checkpoint"];

function listed(path: string): ThreadList | undefined {
  try {
    const database = openForReading(path);
    try {
      const columns = database.columns("checkpoints");
      if (!needed.every((name) => columns.includes(name))) return undefined;
      const threads = new Map<string, ListedThread>();
      const sql = `select thread_id, max(checkpoint_id) as id, count(*) as count from checkpoints
        where checkpoint_ns = '' group by thread_id`;
      for (const row of database.rows(sql))
        keep(threads, {
          thread: row["thread_id"],
          id: row["id"],
          count: asCount(row["count"]) ?? 0,
        });
      return { threads, damage: database.damage };
    } finally {
      database.close();
    }
  } catch (error) {
    const isDamage = isRepriseError(error) ? error.code === "damaged" : isDatabaseDamage(error);
    if (!isDamage) throw error;
    return carved(path, error);
  }
}

/** What still lies on the pages of a damaged database. */
function carved(path: string, error: unknown): ThreadList | undefined {
  const threads = new Map<string, ListedThread>();
  for (const row of carvedRows(path)) {
    if (row.ns !== "") continue;
    const known = threads.get(row.thread);
    const id = known === undefined || row.id > known.checkpoint ? row.id : known.checkpoint;
    keep(threads, { thread: row.thread, id, count: (known?.checkpoints ?? 0) + 1 });
  }
  if (threads.size === 0) return undefined;
  const detail = error instanceof Error ? error.message : String(error);
  return { threads, damage: [{ kind: "database", offset: 0, recovered: threads.size, detail }] };
}

function keep(
  threads: Map<string, ListedThread>,
  row: { readonly thread: unknown; readonly id: unknown; readonly count: number },
): void {
  const thread = asString(row.thread);
  const checkpoint = asString(row.id);
  if (thread === undefined || checkpoint === undefined) return;
  const modifiedMs = momentOfId(checkpoint) ?? 0;
  threads.set(thread, { thread, checkpoint, checkpoints: row.count, modifiedMs });
}
