import { isoNow } from "../base/clock.ts";
import { RepriseError } from "../base/errors.ts";
import type { SqlValue } from "../sqlite/connection.ts";
import type { MemoryQuery, MemorySort, NumberRange, TimeRange } from "./query.ts";

/** Who asks: nobody is shown what is not theirs to read. */
export interface Reader {
  readonly owner: string;
  /** The namespaces that are open to them. */
  readonly namespaces: readonly string[];
}

/** A condition of SQL and what its question marks stand for. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** What a reader may see of what a query asks for, as far as the tables tell. */
export function conditionOf(query: MemoryQuery, reader: Reader): Condition {
  const parts: Condition[] = [visible(query, reader)];
  const add = (sql: string, ...values: readonly SqlValue[]): void => {
    parts.push({ sql, values });
  };
  const among = (column: string, values: readonly SqlValue[] | undefined): void => {
    if (values !== undefined) add(`entry.${column} in (${marks(values)})`, ...values);
  };
  among("id", query.ids);
  if (query.key !== undefined) add("entry.key = ?", query.key);
  for (const [column, start] of [
    ["id", query.idPrefix],
    ["key", query.keyPrefix],
  ] as const)
    if (start !== undefined)
      add(`entry.${column} >= ? and entry.${column} < ?`, start, `${start}\u{10ffff}`);
  among("supersedes", query.supersedes);
  among("type", query.types);
  among("owner", query.owners);
  among("access", query.access);
  among("provenance", query.provenance);
  if (query.statuses !== "all") among("status", query.statuses ?? ["kept"]);
  for (const tag of query.tagsAll ?? [])
    add("entry.row in (select row from tag where tag = ?)", tag);
  if (query.tagsAny !== undefined)
    add(
      `entry.row in (select row from tag where tag in (${marks(query.tagsAny)}))`,
      ...query.tagsAny,
    );
  if (query.tagsNone !== undefined)
    add(
      `entry.row not in (select row from tag where tag in (${marks(query.tagsNone)}))`,
      ...query.tagsNone,
    );
  for (const [column, range] of [
    ["created", query.created],
    ["updated", query.updated],
    ["accessed", query.accessed],
    ["expires", query.expires],
  ] as const)
    addTimes(parts, column, range);
  addNumbers(parts, "size", query.sizeBytes);
  addNumbers(parts, "version", query.version);
  if (query.expired === true) add("entry.expires is not null and entry.expires <= ?", isoNow());
  else if (query.expired !== "any") add("(entry.expires is null or entry.expires > ?)", isoNow());
  if (query.neverAccessed !== undefined)
    add(`entry.accessed is ${query.neverAccessed ? "" : "not "}null`);
  if (query.compressed !== undefined) add("entry.compressed = ?", query.compressed ? 1 : 0);
  addLink(parts, "reference", query.hasReference, query.reference);
  addLink(parts, "dependency", query.hasDependency, query.dependency);
  addLink(parts, "evidence", query.hasEvidence, undefined);
  if (query.evidence !== undefined)
    add(
      "entry.row in (select row from link where kind = 'evidence' and substr(target, 1, length(?)) = ?)",
      query.evidence,
      query.evidence,
    );
  if (query.superseded !== undefined)
    add(
      `${query.superseded ? "" : "not "}exists (select 1 from entry newer where newer.namespace = entry.namespace
        and newer.supersedes in (entry.id, entry.key) and newer.id <> entry.id and newer.status = 'kept')`,
    );
  for (const [name, value] of Object.entries(query.metadata ?? {}))
    add("json_extract(entry.stored, ?) is ?", `$.metadata."${jsonName(name)}"`, plainValue(value));
  return joined(parts);
}

/**
 * The column that a sort goes by. Where a query names few entries, the plus keeps SQLite from going through all of them in
 * that order.
 */
export function sortColumn(sort: Exclude<MemorySort, "relevance">, query: MemoryQuery): string {
  const namesFew =
    query.key !== undefined || query.ids !== undefined || query.supersedes !== undefined;
  return `${namesFew ? "+" : ""}entry.${sort}`;
}

/** The owner's own, what is shared in the namespaces that are open, and what is public in others that are asked for. */
function visible({ namespaces }: MemoryQuery, reader: Reader): Condition {
  const open = reader.namespaces;
  const mine = {
    sql: `entry.namespace in (${marks(open)}) and (entry.access <> 'private' or entry.owner = ?)`,
    values: [...open, reader.owner],
  };
  if (namespaces === undefined) return mine;
  if (namespaces === "all")
    return { sql: `(entry.access = 'public' or (${mine.sql}))`, values: mine.values };
  return {
    sql: `entry.namespace in (${marks(namespaces)}) and (entry.access = 'public' or (${mine.sql}))`,
    values: [...namespaces, ...mine.values],
  };
}

function addTimes(parts: Condition[], column: string, range: TimeRange | undefined): void {
  if (range?.from !== undefined) parts.push({ sql: `entry.${column} >= ?`, values: [range.from] });
  if (range?.to !== undefined) parts.push({ sql: `entry.${column} < ?`, values: [range.to] });
}

function addNumbers(parts: Condition[], column: string, range: NumberRange | undefined): void {
  if (range?.from !== undefined) parts.push({ sql: `entry.${column} >= ?`, values: [range.from] });
  if (range?.to !== undefined) parts.push({ sql: `entry.${column} <= ?`, values: [range.to] });
}

function addLink(
  parts: Condition[],
  kind: string,
  has: boolean | undefined,
  target: string | undefined,
): void {
  const rows = `select row from link where kind = '${kind}'`;
  if (has !== undefined)
    parts.push({ sql: `entry.row ${has ? "" : "not "}in (${rows})`, values: [] });
  if (target !== undefined)
    parts.push({ sql: `entry.row in (${rows} and target = ?)`, values: [target] });
}

function joined(parts: readonly Condition[]): Condition {
  return {
    sql: parts.map(({ sql }) => `(${sql})`).join(" and "),
    values: parts.flatMap(({ values }) => values),
  };
}

function marks(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}

/** A name that can stand in a path of SQLite's JSON. */
function jsonName(name: string): string {
  if (!name.includes('"')) return name;
  throw new RepriseError("bad_input", "A field of metadata has no quotation mark in its name.");
}

function plainValue(value: unknown): SqlValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  throw new RepriseError(
    "bad_input",
    "A field of metadata is compared with a text, a number or a boolean.",
  );
}
