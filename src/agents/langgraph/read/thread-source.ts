import { asCount, asString, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import type { Damage } from "../../../model/damage.ts";
import type { ReadDatabase } from "../../../sqlite/database.ts";
import { openForReading } from "../../../sqlite/open.ts";
import { carvedThread } from "./carved-source.ts";

/** What is known of a checkpoint besides its value. */
export interface CheckpointRow {
  readonly id: string;
  readonly parent?: string;
  readonly type: unknown;
  readonly metadata: unknown;
}

/** The checkpoints of one thread; values are fetched one by one, when they are asked for. */
export interface ThreadSource {
  readonly damage: readonly Damage[];
  /** The namespaces of subgraphs. */
  namespaces(): readonly string[];
  /** The checkpoints of a namespace in the order they were made. */
  rows(ns: string): Iterable<CheckpointRow>;
  /** The newest of those no other follows, the newest first. */
  leaves(ns: string): readonly CheckpointRow[];
  /** How many there are up to one. */
  count(ns: string, id: string): number;
  value(ns: string, id: string): { readonly type: unknown; readonly bytes: unknown };
  /** What was written behind a checkpoint on special channels: interrupts, errors, answers to interrupts. */
  writes(id: string): readonly JsonObject[];
  close(): void;
}

/** Forks of one namespace that are reported. */
const mostLeaves = 256;

/** One thread of a database, as its trees lead to it; throws where these are damaged. */
export function databaseThread(path: string, thread: string): ThreadSource {
  const database = openForReading(path);
  return new DatabaseThread(database, thread);
}

class DatabaseThread implements ThreadSource {
  readonly damage: readonly Damage[];
  readonly #database: ReadDatabase;
  readonly #thread: string;

  constructor(database: ReadDatabase, thread: string) {
    this.#database = database;
    this.#thread = thread;
    this.damage = database.damage;
  }

  namespaces(): readonly string[] {
    const sql = `select distinct checkpoint_ns as ns from checkpoints
      where thread_id = ? and checkpoint_ns <> '' order by checkpoint_ns limit 1000`;
    return [...this.#database.rows(sql, this.#thread)].flatMap(({ ns }) => asString(ns) ?? []);
  }

  *rows(ns: string): Generator<CheckpointRow> {
    const sql = `select checkpoint_id as id, parent_checkpoint_id as parent, type,
      case when octet_length(metadata) <= ${limits.headBytesMax} then metadata end as metadata from checkpoints
      where thread_id = ? and checkpoint_ns = ? order by checkpoint_id`;
    for (const row of this.#database.rows(sql, this.#thread, ns)) {
      const found = rowOf(row);
      if (found !== undefined) yield found;
    }
  }

  leaves(ns: string): readonly CheckpointRow[] {
    const parents = new Set<string>();
    const rows: CheckpointRow[] = [];
    for (const { id, parent, type } of this.rows(ns)) {
      if (parent !== undefined) parents.add(parent);
      rows.push({ id, type, metadata: null, ...(parent !== undefined && { parent }) });
    }
    const leaves = rows.filter(({ id }) => !parents.has(id)).reverse();
    return leaves.slice(0, mostLeaves);
  }

  count(ns: string, id: string): number {
    const sql = `select count(*) as count from checkpoints
      where thread_id = ? and checkpoint_ns = ? and checkpoint_id <= ?`;
    return asCount(this.#database.first(sql, this.#thread, ns, id)?.["count"]) ?? 0;
  }

  value(ns: string, id: string): { readonly type: unknown; readonly bytes: unknown } {
    const sql = `select type, case when octet_length(checkpoint) <= ${limits.checkpointBytes} then checkpoint end as bytes
      from checkpoints where thread_id = ? and checkpoint_ns = ? and checkpoint_id = ?`;
    const row = this.#database.first(sql, this.#thread, ns, id);
    return { type: row?.["type"], bytes: row?.["bytes"] };
  }

  writes(id: string): readonly JsonObject[] {
    if (!this.#database.columns("writes").includes("channel")) return [];
    const sql = `select task_id, idx, channel, type,
      case when octet_length(value) <= ${limits.headBytesMax} then value end as value from writes
      where thread_id = ? and checkpoint_ns = '' and checkpoint_id = ? and idx < 0 order by task_id, idx limit 100`;
    return [...this.#database.rows(sql, this.#thread, id)];
  }

  close(): void {
    this.#database.close();
  }
}

function rowOf(row: JsonObject): CheckpointRow | undefined {
  const id = asString(row["id"]);
  const parent = asString(row["parent"]);
  if (id === undefined) return undefined;
  return {
    id,
    type: row["type"],
    metadata: row["metadata"],
    ...(parent !== undefined && { parent }),
  };
}

/** One thread of what lies on the pages of a damaged database. */
export function carvedSource(path: string, thread: string): ThreadSource {
  const all = carvedThread(path, thread);
  const of = (ns: string): readonly CheckpointRow[] => all.filter((row) => row.ns === ns);
  return {
    damage: [],
    namespaces: () => [...new Set(all.map(({ ns }) => ns))].filter((ns) => ns !== ""),
    rows: of,
    leaves: (ns) => {
      const parents = new Set(of(ns).map(({ parent }) => parent));
      return of(ns)
        .filter(({ id }) => !parents.has(id))
        .toReversed();
    },
    count: (ns, id) => of(ns).filter((row) => row.id <= id).length,
    value: (ns, id) => {
      const row = all.find((one) => one.ns === ns && one.id === id);
      return { type: row?.type, bytes: row?.checkpoint };
    },
    writes: () => [],
    close: () => undefined,
  };
}
