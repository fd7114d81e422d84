import { asString, isObject, type JsonObject } from "../../base/json.ts";

/** Record types that say nothing of the conversation, or repeat it: kept as they are. */
const quietTypes: ReadonlySet<string> = new Set([
  "assistant.idle",
  "assistant.intent",
  "assistant.turn_end",
  "assistant.turn_start",
  "assistant.usage",
  "auto_mode_switch.completed",
  "auto_mode_switch.requested",
  "command.completed",
  "command.queued",
  "elicitation.completed",
  "elicitation.requested",
  "exit_plan_mode.completed",
  "exit_plan_mode.requested",
  "external_tool.completed",
  "external_tool.requested",
  "hook.end",
  "hook.start",
  "pending_messages.modified",
  "permission.requested",
  "session.auto_mode_resolved",
  "session.autopilot_objective_changed",
  "session.binary_asset",
  "session.compaction_complete",
  "session.compaction_start",
  "session.context_cleared",
  "session.custom_notification",
  "session.handoff",
  "session.idle",
  "session.managed_settings_enforced",
  "session.mode_changed",
  "session.permissions_changed",
  "session.plan_changed",
  "session.remote_steerable_changed",
  "session.session_limits_changed",
  "session.shutdown",
  "session.snapshot_rewind",
  "session.task_complete",
  "session.todos_changed",
  "session.truncation",
  "session.usage_checkpoint",
  "session.usage_info",
  "session.usage_record",
  "session.workspace_file_changed",
  "skill.invoked",
  "subagent.deselected",
  "subagent.selected",
  "tool.execution_start",
  "tool.user_requested",
  "tool_search.activated",
  "user_input.completed",
  "user_input.requested",
]);

/** Whether a type is one the program is known to write beside the conversation. */
export function isQuiet(type: string): boolean {
  // What it logs of single requests, such as the one that makes a summary.
  return quietTypes.has(type) || type.startsWith("model.");
}

/** What a record is about. */
export function dataOf(record: JsonObject): JsonObject {
  return isObject(record["data"]) ? record["data"] : {};
}

/** Whether an object found inside a damaged line is a record of its own and not a part of one. */
export function acceptsRecord(candidate: JsonObject): boolean {
  return (
    asString(candidate["type"]) !== undefined &&
    isObject(candidate["data"]) &&
    asString(candidate["id"]) !== undefined &&
    asString(candidate["timestamp"]) !== undefined
  );
}

/** Whether a record is the one a session begins with. */
export function isHeader(record: JsonObject): boolean {
  return record["type"] === "session.start";
}

/** The subagent whose record it is: by its own id, or by the call that started it. */
export function subagentOf(record: JsonObject): string | undefined {
  return asString(record["agentId"]) ?? asString(dataOf(record)["parentToolCallId"]);
}

/** The summary that a record puts in the place of all before it; undefined if it does not. */
export function summaryIn(record: JsonObject): string | undefined {
  if (record["type"] !== "session.compaction_complete") return undefined;
  const data = dataOf(record);
  if (data["success"] === false || subagentOf(record) !== undefined) return undefined;
  return asString(data["summaryContent"]) || undefined;
}

const cuts = ["session.compaction_complete", "session.context_cleared"].map((type) =>
  Buffer.from(`"${type}"`),
);

/** Whether the bytes of a line may hold a record that hides what came before it. */
export function mayCut(bytes: Buffer): boolean {
  return cuts.some((type) => bytes.includes(type));
}

/** Whether nothing before a record is replayed: it has a summary in its place, or the context was cleared. */
export function isCut(record: JsonObject): boolean {
  if (summaryIn(record) !== undefined) return true;
  return record["type"] === "session.context_cleared" && subagentOf(record) === undefined;
}
