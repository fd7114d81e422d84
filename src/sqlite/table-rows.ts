import { isRepriseError } from "../base/errors.ts";
import { fingerprint } from "../base/fingerprint.ts";
import { asNumber, type JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import type { Damage } from "../model/damage.ts";
import { type CarvedRow, carveRows } from "./carve.ts";
import { isDatabaseDamage } from "./database.ts";
import { openForReading } from "./open.ts";
import { salvageRows } from "./salvage.ts";

/** A table of another program: enough to know it, and to know its rows on the pages of a damaged database. */
export interface TableShape {
  readonly table: string;
  /** All columns in the order the program made them. */
  readonly columns: readonly string[];
  /** Columns that an older or newer version may lack. */
  readonly optional?: readonly string[];
  /** Columns that nobody wants, such as long vectors. */
  readonly unread?: readonly string[];
  /** Whether a row is one of this table, for rows that lie on a page without a name. */
  accepts(row: JsonObject): boolean;
}

/** A row and its rowid, which orders rows as they were written; 0 where only the page is left. */
export interface TableRow {
  readonly rowid: number;
  readonly row: JsonObject;
}

/**
 * The rows of a table as they were written, one at a time; undefined if the database has no such table. Where trees or
 * pages are damaged, what still lies on the pages is taken. A value over the limit comes as null.
 */
export function tableRows(
  path: string,
  shape: TableShape,
  onDamage: (damage: Damage) => void,
): Iterable<TableRow> | undefined {
  try {
    const database = openForReading(path);
    try {
      const columns = database.columns(shape.table);
      const optional = shape.optional ?? [];
      const isThere = shape.columns.every(
        (name) => columns.includes(name) || optional.includes(name),
      );
      if (!isThere && database.damage.length === 0) return undefined;
      for (const damage of database.damage) onDamage(damage);
      if (!isThere) return carved(path, shape, new Set());
    } finally {
      database.close();
    }
    return soundRows(path, shape, onDamage);
  } catch (error) {
    if (!isDamage(error)) throw error;
    onDamage(damageOf(error));
    return carved(path, shape, new Set());
  }
}

/** Whether a database has at least one row of a table, whatever else it is. */
export function hasRows(path: string, shape: TableShape): boolean {
  for (const _row of tableRows(path, shape, () => undefined) ?? []) return true;
  return false;
}

function* soundRows(
  path: string,
  shape: TableShape,
  onDamage: (damage: Damage) => void,
): Generator<TableRow> {
  const seen = new Set<string>();
  const damage: Damage[] = [];
  try {
    const database = openForReading(path);
    try {
      const there = database.columns(shape.table);
      const { unread = [] } = shape;
      const columns = shape.columns
        .filter((name) => there.includes(name) && !unread.includes(name))
        .map(bounded);
      for (const row of salvageRows(database, { table: shape.table, columns, damage })) {
        const { rowid, ...values } = row;
        // Only where pages failed are rows looked for twice, but that is known at the end.
        if (seen.size < limits.salvagedRecords) seen.add(keyOf(values, shape));
        yield { rowid: asNumber(rowid) ?? 0, row: values };
      }
    } finally {
      database.close();
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    damage.push(damageOf(error));
  }
  for (const one of damage) onDamage(one);
  if (damage.length > 0) yield* carved(path, shape, seen);
}

function bounded(name: string): string {
  return `case when octet_length("${name}") <= ${limits.documentBytes} then "${name}" end as "${name}"`;
}

/** Rows that lie on the pages, but for those that were reported already. */
function* carved(path: string, shape: TableShape, told: Set<string>): Generator<TableRow> {
  for (const values of carveRows(path)) {
    const row = named(values, shape);
    if (row === undefined) continue;
    const key = keyOf(row, shape);
    if (told.has(key)) continue;
    if (told.size < limits.salvagedRecords) told.add(key);
    yield { rowid: 0, row };
  }
}

function named(values: CarvedRow, shape: TableShape): JsonObject | undefined {
  const least = shape.columns.length - (shape.optional?.length ?? 0);
  if (values.length < least || values.length > shape.columns.length) return undefined;
  const entries = shape.columns.map((name, index) => [name, values[index] ?? null] as const);
  const row = Object.fromEntries(entries.filter(([name]) => !shape.unread?.includes(name)));
  return shape.accepts(row) ? row : undefined;
}

/** What a row says; the first column may be the rowid, which a page holds elsewhere. */
function keyOf(row: JsonObject, { columns }: TableShape): string {
  return fingerprint(JSON.stringify(columns.slice(1).map((name) => row[name] ?? null)));
}

function isDamage(error: unknown): boolean {
  if (isRepriseError(error)) return error.code === "damaged";
  return (
    isDatabaseDamage(error) ||
    (error instanceof Error && /no such (?:table|column)/.test(error.message))
  );
}

function damageOf(error: unknown): Damage {
  const detail = error instanceof Error ? error.message : String(error);
  return { kind: "database", offset: 0, recovered: 0, detail };
}
