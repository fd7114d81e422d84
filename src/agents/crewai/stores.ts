import type { JsonObject } from "../../base/json.ts";
import type { TableShape } from "../../sqlite/table-rows.ts";

const isText = (value: unknown): value is string => typeof value === "string";
const isJsonText = (value: unknown): boolean => isText(value) && /^\s*[{[n]/.test(value);

/** The state after each finished method of a flow; the newest row is the current one. */
export const flowStates: TableShape = {
  table: "flow_states",
  columns: ["id", "flow_uuid", "method_name", "timestamp", "state_json"],
  accepts: (row) =>
    isText(row["flow_uuid"]) &&
    isText(row["method_name"]) &&
    isTime(row["timestamp"]) &&
    isJsonText(row["state_json"]),
};

/** Flows that wait for a person. */
export const pendingFeedback: TableShape = {
  table: "pending_feedback",
  columns: ["id", "flow_uuid", "context_json", "state_json", "created_at"],
  accepts: (row) =>
    isText(row["flow_uuid"]) && isJsonText(row["context_json"]) && isTime(row["created_at"]),
};

/** What the tasks of the last run gave; kept for a replay. */
export const taskOutputs: TableShape = {
  table: "latest_kickoff_task_outputs",
  columns: [
    "task_id",
    "expected_output",
    "output",
    "task_index",
    "inputs",
    "was_replayed",
    "timestamp",
  ],
  accepts: (row) =>
    isText(row["task_id"]) && isJsonText(row["output"]) && typeof row["task_index"] === "number",
};

/** What versions before 1.10 remembered of tasks. */
export const longTermMemories: TableShape = {
  table: "long_term_memories",
  columns: ["id", "task_description", "metadata", "datetime", "score"],
  accepts: (row) => isText(row["task_description"]) && isJsonText(row["metadata"]),
};

/** Checkpoints of crews and flows in a database; `data` is SQLite's binary JSON. */
export const checkpoints: TableShape = {
  table: "checkpoints",
  columns: ["id", "created_at", "parent_id", "branch", "data"],
  accepts: (row) =>
    isText(row["id"]) &&
    checkpointId.test(row["id"]) &&
    isText(row["branch"]) &&
    row["data"] !== null,
};

/** An id of a checkpoint: the second it was made in, and eight random digits. */
export const checkpointId = /^\d{8}T\d{6}_[0-9a-f]{8}$/;

/** The names of the databases in a storage, and what each holds. */
export const databases: readonly { readonly name: string; readonly shape: TableShape }[] = [
  { name: "flow_states.db", shape: flowStates },
  { name: "latest_kickoff_task_outputs.db", shape: taskOutputs },
  { name: "long_term_memory_storage.db", shape: longTermMemories },
  { name: ".checkpoints.db", shape: checkpoints },
];

function isTime(value: unknown): boolean {
  return isText(value) && /^\d{4}-\d\d-\d\d/.test(value);
}

/** A text of a row; undefined if it is none or empty. */
export function textIn(row: JsonObject, column: string): string | undefined {
  const value = row[column];
  return isText(value) && value !== "" ? value : undefined;
}
