import { RepriseError } from "../base/errors.ts";
import { parseObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import type { Connection, SqlValue } from "../sqlite/connection.ts";
import type { MemoryEntry } from "./entry.ts";
import { type StoredEntry, storedEntry } from "./fact.ts";
import { conditionOf, type Reader, sortColumn } from "./filter.ts";
import { keysMatching } from "./match-pattern.ts";
import { allWords, anyWord } from "./match-words.ts";
import type { MemoryQuery } from "./query.ts";
import { isStale } from "./stale.ts";
import { checksumOf, decodeValue, jsonOf } from "./value.ts";

/** A page of memories. */
export interface FoundMemories {
  readonly entries: readonly FoundMemory[];
  /** How many there are in all, counted up to 10,000. */
  readonly total: number;
}

/** A memory, and how well it fits the words that were looked for; more is better. */
export interface FoundMemory extends MemoryEntry {
  readonly score?: number;
}

/** The memories that a query means and its reader may see. */
export function findMemories(
  connection: Connection,
  query: MemoryQuery,
  reader: Reader,
): FoundMemories {
  const limit = pageOf("limit", query.limit ?? 100, limits.memoryPage);
  const offset = pageOf("offset", query.offset ?? 0, Number.MAX_SAFE_INTEGER);
  const selected = selection(connection, query, reader);
  const { from, values } = selected;
  const looksInside = query.keyPattern !== undefined || query.stale !== undefined;
  if (!looksInside) {
    const rows = connection
      .keep(rowsOf(selected, "limit ? offset ?"))
      .all(...values, limit, offset) as readonly Row[];
    const entries = rows.flatMap((row) => entryOf(row) ?? []);
    // A page that is not full is the last one.
    if (rows.length < limit && (offset === 0 || rows.length > 0))
      return { entries, total: offset + rows.length };
    const most = limits.memoryCounted;
    const counted = connection
      .keep(`select count(*) as total from (select 1 from ${from} limit ${most})`)
      .get(...values);
    return { entries, total: (counted as { total: number }).total };
  }
  const matching =
    query.keyPattern === undefined
      ? undefined
      : keysMatching(query.keyPattern, keysOf(connection, selected));
  const entries: FoundMemory[] = [];
  let total = 0;
  for (const row of connection
    .prepare(rowsOf(selected, "limit -1"))
    .iterate(...values) as Iterable<Row>) {
    if (matching?.has(row.key) === false) continue;
    const entry = entryOf(row);
    if (entry === undefined) continue;
    if (query.stale !== undefined && isStale(entry) !== query.stale) continue;
    if (total >= offset && entries.length < limit) entries.push(entry);
    total += 1;
  }
  return { entries, total };
}

/** A row of the index as an entry; undefined if it is damaged. */
export interface Row {
  readonly namespace: string;
  readonly key: string;
  readonly accessed: string | null;
  readonly stored: string;
  readonly score?: number | null;
}

/** The entry that a row holds; undefined if its value is not the one that was stored. */
export function entryOf(row: Row): FoundMemory | undefined {
  const stored = storedEntry(parseObject(row.stored, row.stored.length));
  if (stored === undefined) return undefined;
  const json = jsonOf(stored);
  if (json === undefined || checksumOf(json) !== stored.checksum) return undefined;
  return {
    ...entryWith(stored, { json, namespace: row.namespace }),
    ...(row.accessed !== null && { accessedAt: row.accessed }),
    ...(typeof row.score === "number" && { score: row.score }),
  };
}

/** A stored entry as callers know it. */
export function entryWith(
  stored: StoredEntry,
  { json, namespace }: { readonly json: string; readonly namespace: string },
): MemoryEntry {
  const { json: _json, deflated: _deflated, ...rest } = stored;
  return { ...rest, namespace, value: decodeValue(json) };
}

/** What finds the rows of a query, in order, and what counts them. Their contents are fetched once the page is known. */
interface Selection {
  readonly from: string;
  readonly score: string;
  readonly order: string;
  readonly values: readonly SqlValue[];
}

function selection(connection: Connection, query: MemoryQuery, reader: Reader): Selection {
  const condition = conditionOf(query, reader);
  const match = matchOf(connection, query);
  const sort = query.sort ?? (match === undefined ? "updated" : "relevance");
  const isDown = query.order === undefined ? sort !== "key" : query.order === "descending";
  const direction = isDown ? "desc" : "asc";
  if (match === undefined) {
    const column = sortColumn(sort === "relevance" ? "updated" : sort, query);
    return {
      from: `entry where ${condition.sql}`,
      score: "null",
      order: `${column} ${direction}, entry.row ${direction}`,
      values: condition.values,
    };
  }
  const isEverywhere = countMatches(connection, match) >= limits.memoryRanked;
  return {
    from: `words cross join entry on entry.row = words.rowid where words match ? and ${condition.sql}`,
    // A word of the key says more about an entry than one of its value. What very many have says none from another.
    score: isEverywhere ? "0" : "-bm25(words, 4.0, 1.0, 2.0)",
    order:
      sort === "relevance"
        ? isEverywhere
          ? `words.rowid ${direction}`
          : `score ${direction}, entry.updated desc`
        : `${sortColumn(sort, query)} ${direction}`,
    values: [match, ...condition.values],
  };
}

/** The statement that reads the rows of a page, or all of them. A cross join goes through its left side in order. */
function rowsOf({ from, score, order }: Selection, page: "limit -1" | "limit ? offset ?"): string {
  return `select entry.namespace, entry.key, entry.accessed, entry.stored, page.score
    from (select entry.row, ${score} as score from ${from} order by ${order} ${page}) page
    cross join entry on entry.row = page.row`;
}

function keysOf(connection: Connection, { from, values }: Selection): readonly string[] {
  const rows = connection.prepare(`select distinct entry.key from ${from}`).all(...values);
  return (rows as readonly { readonly key: string }[]).map(({ key }) => key);
}

/** What the full-text table is asked; undefined if the query has no words. */
function matchOf(connection: Connection, { text, similarTo }: MemoryQuery): string | undefined {
  if (text === undefined && similarTo === undefined) return undefined;
  const all = text === undefined ? undefined : allWords(text);
  const any =
    similarTo === undefined
      ? undefined
      : anyWord(similarTo, {
          countOf: (word) => countMatches(connection, word),
          most: limits.memoryRanked,
        });
  const parts = [all, any].flatMap((part) => (part === undefined ? [] : [`(${part})`]));
  // Nothing has no words at all.
  return parts.length === 0 ? '""' : parts.join(" AND ");
}

/** How many entries of all have what an expression finds, counted as far as they are ranked. */
function countMatches(connection: Connection, expression: string): number {
  const row = connection
    .keep(
      `select count(*) as found from (select 1 from words where words match ? limit ${limits.memoryRanked})`,
    )
    .get(expression);
  return (row as { found: number }).found;
}

function pageOf(what: string, value: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return Math.min(value, most);
  throw new RepriseError("bad_input", `The ${what} of a query is a whole number.`);
}
