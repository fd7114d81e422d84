import { isRepriseError } from "../../base/errors.ts";
import { asString } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { Damage } from "../../model/damage.ts";
import { carveRows } from "../../sqlite/carve.ts";
import { isDatabaseDamage, type ReadDatabase } from "../../sqlite/database.ts";
import { openForReading } from "../../sqlite/open.ts";

/** A table of keys and values; all of the program's are. */
export interface Table {
  readonly name: string;
  readonly key: string;
  readonly value: string;
}

/** Conversations of the desktop program. */
export const pairs: Table = { name: "cursorDiskKV", key: "key", value: "value" };
/** Settings and older data of the desktop program. */
export const items: Table = { name: "ItemTable", key: "key", value: "value" };
/** Messages of the command line, by their hash. */
export const blobs: Table = { name: "blobs", key: "id", value: "data" };
/** What the command line knows of a conversation. */
export const facts: Table = { name: "meta", key: "key", value: "value" };

/**
 * The values of a database by key. Where its trees are damaged, what still lies on its pages is looked through once,
 * for the keys that are wanted alone; rows do not say which table they belong to.
 */
export class KeyValues {
  readonly #path: string;
  readonly #wants: (key: string) => boolean;
  readonly #database: ReadDatabase | undefined;
  readonly #damage: Damage[] = [];
  #carved: ReadonlyMap<string, unknown> | undefined;

  /** A caller that gives another way to open it does not close it. */
  constructor(
    path: string,
    options: {
      readonly wants: (key: string) => boolean;
      readonly open?: (path: string) => ReadDatabase;
    },
  ) {
    this.#path = path;
    this.#wants = options.wants;
    const { open = openForReading } = options;
    this.#database = this.#try(() => open(path));
    this.#damage.unshift(...(this.#database?.damage ?? []));
  }

  /** What was found wrong so far. */
  get damage(): readonly Damage[] {
    return this.#damage;
  }

  /** Whether what lies on the pages was looked through. */
  get isCarved(): boolean {
    return this.#carved !== undefined;
  }

  /** The value of a key, as it is stored. */
  get(table: Table, key: string): unknown {
    const sql = `select ${table.value} as value from ${table.name} where ${table.key} = ?`;
    const found = this.#try(() => this.#database?.first(sql, key));
    return found === undefined ? this.#carved?.get(key) : found["value"];
  }

  /** The keys from one on and before another, with their values. */
  *between(table: Table, from: string, to: string): Generator<readonly [string, unknown]> {
    const { name, key, value } = table;
    const sql = `select ${key} as key, ${value} as value from ${name} where ${key} >= ? and ${key} < ?`;
    const given = new Set<string>();
    try {
      for (const row of this.#database?.rows(sql, from, to) ?? []) {
        const found = asString(row["key"]);
        if (found === undefined) continue;
        given.add(found);
        yield [found, row["value"]];
      }
    } catch (error) {
      this.#note(error);
    }
    for (const [found, stored] of this.#carved ?? [])
      if (found >= from && found < to && !given.has(found)) yield [found, stored];
  }

  /** Every key that is wanted, in the order they were written. */
  *all(table: Table): Generator<readonly [string, unknown]> {
    const sql = `select ${table.key} as key, ${table.value} as value from ${table.name} order by rowid`;
    const given = new Set<string>();
    try {
      for (const row of this.#database?.rows(sql) ?? []) {
        const found = asString(row["key"]);
        if (found === undefined || !this.#wants(found)) continue;
        given.add(found);
        yield [found, row["value"]];
      }
    } catch (error) {
      this.#note(error);
    }
    for (const [found, stored] of this.#carved ?? []) if (!given.has(found)) yield [found, stored];
  }

  close(): void {
    this.#database?.close();
  }

  #try<T>(look: () => T): T | undefined {
    try {
      return look();
    } catch (error) {
      this.#note(error);
      return undefined;
    }
  }

  #note(error: unknown): void {
    if (!isDamage(error)) throw error;
    if (this.#carved !== undefined) return;
    this.#carved = carved(this.#path, this.#wants);
    const detail = error instanceof Error ? error.message : String(error);
    const recovered = this.#carved.size > 0 ? 1 : 0;
    this.#damage.push({ kind: "database", offset: 0, recovered, detail });
  }
}

/** Whether a database, or a table of it, cannot be read as it should. */
export function isDamage(error: unknown): boolean {
  if (isRepriseError(error)) return error.code === "damaged";
  const isWithout = error instanceof Error && /no such (?:table|column)/.test(error.message);
  return isWithout || isDatabaseDamage(error);
}

function carved(path: string, wants: (key: string) => boolean): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  let bytes = 0;
  for (const [key, value, ...rest] of carveRows(path)) {
    if (typeof key !== "string" || rest.length > 0 || !wants(key)) continue;
    if (typeof value !== "string" && !(value instanceof Uint8Array)) continue;
    bytes += value.length;
    if (bytes > limits.replayedBytes) break;
    found.set(key, value);
  }
  return found;
}
