import type { TableShape } from "../../sqlite/table-rows.ts";
import { learntTables } from "./agentdb.ts";

const isText = (value: unknown): boolean => typeof value === "string";

/** Memory of 3.x. */
export const entries3: TableShape = {
  table: "memory_entries",
  columns: [
    "id",
    "key",
    "namespace",
    "content",
    "type",
    "embedding",
    "embedding_model",
    "embedding_dimensions",
    "tags",
    "metadata",
    "owner_id",
    "provenance_type",
    "created_at",
    "updated_at",
    "expires_at",
    "last_accessed_at",
    "access_count",
    "status",
  ],
  optional: ["embedding_model", "embedding_dimensions", "owner_id", "provenance_type"],
  // An entry's vector is longer than all of its text together.
  unread: ["embedding"],
  accepts: (row) =>
    isText(row["id"]) && isText(row["key"]) && isText(row["content"]) && isText(row["type"]),
};

/** What hooks of 2.x keep: the same name, other columns, and times in seconds. */
export const entries2: TableShape = {
  table: "memory_entries",
  columns: [
    "id",
    "key",
    "value",
    "namespace",
    "metadata",
    "created_at",
    "updated_at",
    "accessed_at",
    "access_count",
    "ttl",
    "expires_at",
  ],
  accepts: (row) =>
    isText(row["key"]) &&
    isText(row["value"]) &&
    isText(row["namespace"]) &&
    typeof row["created_at"] === "number",
};

/** What the memory commands of 2.x keep, in the same database as its hooks. */
export const patterns2: TableShape = {
  table: "patterns",
  columns: ["id", "type", "pattern_data", "confidence", "usage_count", "created_at", "last_used"],
  accepts: (row) => isText(row["id"]) && isText(row["pattern_data"]) && isText(row["created_at"]),
};

/** The tables of entries, of all versions. */
export const entryTables: readonly TableShape[] = [
  ...[entries3, entries2, patterns2],
  ...learntTables.map(({ shape }) => shape),
];

/** A table of the hive mind of 2.x; its first column is the id. */
const hiveTable = (table: string, columns: readonly string[]): TableShape => ({
  table,
  columns: ["id", ...columns],
  accepts: (row) => isText(row["id"]) && isText(row[columns[1]!] ?? row[columns[0]!]),
});

/** The hive mind's tables, in the order they are reported. */
export const hiveTables: readonly TableShape[] = [
  hiveTable("swarms", ["name", "objective", "status", "queen_type", "created_at", "updated_at"]),
  hiveTable("agents", ["swarm_id", "name", "type", "role", "status", "capabilities", "created_at"]),
  hiveTable("tasks", [
    "swarm_id",
    "agent_id",
    "description",
    "status",
    "priority",
    "result",
    "created_at",
    "completed_at",
  ]),
  hiveTable("collective_memory", [
    "swarm_id",
    "key",
    "value",
    "type",
    "confidence",
    "created_by",
    "created_at",
    "accessed_at",
    "access_count",
    "compressed",
    "size",
  ]),
  hiveTable("consensus_decisions", [
    "swarm_id",
    "topic",
    "decision",
    "votes",
    "algorithm",
    "confidence",
    "created_at",
  ]),
  hiveTable("sessions", [
    "swarm_id",
    "swarm_name",
    "objective",
    "status",
    "created_at",
    "updated_at",
    "paused_at",
    "resumed_at",
    "completion_percentage",
    "checkpoint_data",
    "metadata",
    "parent_pid",
    "child_pids",
  ]),
];
