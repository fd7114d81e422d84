import { asString, type JsonObject } from "../../base/json.ts";
import type { TableShape } from "../../sqlite/table-rows.ts";

/** A table of AgentDB that holds text: what the program learnt, beside the entries of its memory. */
export interface LearntTable {
  readonly shape: TableShape;
  keyOf(row: JsonObject): string;
  contentOf(row: JsonObject): string;
  /** Milliseconds since 1970. */
  msOf(row: JsonObject): number;
}

const text = (row: JsonObject, name: string): string => asString(row[name]) ?? "";
const lines = (row: JsonObject, ...names: readonly string[]): string =>
  names
    .map((name) => text(row, name))
    .filter((line) => line !== "")
    .join("\n");

function table(
  name: string,
  columns: readonly string[],
  told: { readonly key: string; readonly content: readonly string[]; readonly seconds?: string },
): LearntTable {
  const { key, content, seconds } = told;
  const texts = [key, ...content.slice(0, 1)];
  return {
    shape: {
      table: name,
      columns: ["id", ...columns],
      accepts: (row) => texts.every((column) => typeof row[column] === "string"),
    },
    keyOf: (row) => text(row, key),
    contentOf: (row) => lines(row, ...content),
    msOf: (row) => (seconds === undefined ? Number(row["ts"]) : Number(row[seconds]) * 1000),
  };
}

/** The tables of AgentDB that are read. The program was seen to fill the first two, the others are as it makes them. */
export const learntTables: readonly LearntTable[] = [
  table(
    "tiered_memory",
    ["key", "value", "tier", "ts", "valid_from", "valid_until", "superseded_by", "archived"],
    { key: "key", content: ["value"] },
  ),
  table(
    "reasoning_patterns",
    ["ts", "task_type", "approach", "success_rate", "uses", "avg_reward", "tags", "metadata"],
    { key: "task_type", content: ["approach"], seconds: "ts" },
  ),
  table(
    "episodes",
    [
      ...["ts", "session_id", "task", "input", "output", "critique", "reward", "success"],
      ...["latency_ms", "tokens_used", "tags", "metadata", "created_at"],
    ],
    { key: "session_id", content: ["task", "input", "output", "critique"], seconds: "ts" },
  ),
  table(
    "notes",
    [
      ...["title", "text", "summary", "note_type", "importance", "access_count"],
      ...["last_accessed_at", "created_at", "updated_at", "metadata"],
    ],
    { key: "title", content: ["text", "summary"], seconds: "created_at" },
  ),
  table(
    "facts",
    [
      ...["subject", "predicate", "object", "source_type", "source_id", "confidence"],
      ...["created_at", "expires_at", "metadata"],
    ],
    { key: "subject", content: ["predicate", "object"], seconds: "created_at" },
  ),
];
