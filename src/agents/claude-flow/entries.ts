import { isoOf, isoTime } from "../../base/clock.ts";
import { asString, isObject, type JsonObject, parseObject } from "../../base/json.ts";
import type { Damage } from "../../model/damage.ts";
import { tableRows } from "../../sqlite/table-rows.ts";
import { learntTables } from "./agentdb.ts";
import { entries2, entries3, patterns2 } from "./tables.ts";

/** One thing that is remembered. */
export interface MemoryEntry {
  readonly key: string;
  readonly namespace: string;
  readonly content: string;
  readonly at?: string | undefined;
  readonly native: JsonObject;
}

/** The entries of a memory database of 2.x or 3.x, in the order they were written; deleted ones are left out. */
export function* entriesIn(
  path: string,
  onDamage: (damage: Damage) => void,
): Generator<MemoryEntry> {
  const newer = tableRows(path, entries3, onDamage);
  for (const { row } of newer ?? []) {
    if (row["status"] === "deleted") continue;
    yield {
      key: asString(row["key"]) ?? "",
      namespace: asString(row["namespace"]) ?? "default",
      content: asString(row["content"]) ?? "",
      at: momentOfMs(row["created_at"]),
      native: row,
    };
  }
  for (const { row } of tableRows(path, entries2, damageOnce(newer, onDamage)) ?? []) {
    yield {
      key: asString(row["key"]) ?? "",
      namespace: asString(row["namespace"]) ?? "default",
      content: plainValue(asString(row["value"]) ?? ""),
      at: momentOfMs(Number(row["created_at"]) * 1000),
      native: row,
    };
  }
  for (const { row } of tableRows(path, patterns2, damageOnce(newer, onDamage)) ?? []) {
    const text = asString(row["pattern_data"]) ?? "";
    const data = parseObject(text);
    yield {
      key: asString(data?.["original_key"]) ?? asString(data?.["title"]) ?? String(row["id"]),
      namespace: asString(data?.["namespace"]) ?? asString(data?.["domain"]) ?? "default",
      content: asString(data?.["content"]) ?? text,
      at: momentOfText(row["created_at"]),
      native: row,
    };
  }
  yield* learntIn(path, damageOnce(newer, onDamage));
}

/** What AgentDB keeps beside the entries, table by table; what it put aside is left out. */
function* learntIn(path: string, onDamage: (damage: Damage) => void): Generator<MemoryEntry> {
  for (const { shape, keyOf, contentOf, msOf } of learntTables) {
    for (const { row } of tableRows(path, shape, onDamage) ?? []) {
      if (row["archived"] === 1) continue;
      yield {
        key: keyOf(row),
        namespace: shape.table,
        content: contentOf(row),
        at: momentOfMs(msOf(row)),
        native: row,
      };
    }
  }
}

/** A database is damaged once, whichever of its tables is asked. */
function damageOnce(told: unknown, onDamage: (damage: Damage) => void): (damage: Damage) => void {
  return told === undefined ? onDamage : () => undefined;
}

/** A value of a hook as text: marks of what JSON cannot hold are resolved. */
function plainValue(text: string): string {
  const value = parseObject(text);
  return value === undefined ? text : JSON.stringify(resolved(value, 0), null, 2);
}

function resolved(value: unknown, depth: number): unknown {
  if (depth > 16) return value;
  if (Array.isArray(value)) return value.map((one) => resolved(one, depth + 1));
  if (!isObject(value)) return value;
  if (value["__type__"] === "__undefined__") return undefined;
  if (value["__type__"] === "__Date__") return value["value"];
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, resolved(inner, depth + 1)]),
  );
}

/** Milliseconds since 1970 as a moment; undefined where they are none. */
export function momentOfMs(ms: unknown): string | undefined {
  const value = Number(ms);
  return value > 0 && value < 253_402_300_800_000 ? isoOf(Math.floor(value)) : undefined;
}

/** A moment that SQLite or the program wrote as text, in UTC. */
export function momentOfText(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  return isoTime(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? `${text.replace(" ", "T")}Z` : text,
  );
}
