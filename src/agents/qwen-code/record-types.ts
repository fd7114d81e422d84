import { asArray, asString, isObject, type JsonObject } from "../../base/json.ts";

/** Subtypes of system records that say nothing of the conversation: kept as they are. */
const quietSubtypes: ReadonlySet<string> = new Set([
  "agent_bootstrap",
  "agent_launch_prompt",
  "agent_retry",
  "agent_session_ready",
  "at_command",
  "attribution_snapshot",
  "background_task_completed",
  "branch_checkpoint",
  "chat_compression",
  "file_history_snapshot",
  "goal_runtime",
  "goal_state",
  "goal_turn_end",
  "managed_session_commit_v1",
  "managed_session_event_v1",
  "managed_session_header_v1",
  "omni_recall",
  "parent_session",
  "rewind",
  "session_artifact_event",
  "session_artifact_snapshot",
  "session_model",
  "session_source",
  "session_sources_snapshot",
  "slash_command",
  "turn_result",
  "ui_telemetry",
]);

/** Records that are no part of the chain the program follows. */
const besideChain =
  /^(?:session_artifact_event|session_artifact_snapshot|session_sources_snapshot|managed_session_)/;

const types: ReadonlySet<string> = new Set(["user", "assistant", "tool_result", "system"]);

/** Whether a system record's subtype is one the program is known to write. */
export function isQuiet(subtype: string): boolean {
  return quietSubtypes.has(subtype);
}

/**
 * Whether an object found inside a damaged line is a record of its own and not a part of one. What is said lies in `parts`;
 * in a `content` it is a record of Claude Code, which has all else in common.
 */
export function acceptsRecord(candidate: JsonObject): boolean {
  const { message } = candidate;
  return (
    !(isObject(message) && message["content"] !== undefined) &&
    types.has(asString(candidate["type"]) ?? "") &&
    asString(candidate["uuid"]) !== undefined &&
    asString(candidate["sessionId"]) !== undefined
  );
}

/** Whether a record takes part in the chain by which the program finds what it replays. */
export function isOfChain(record: JsonObject): boolean {
  const { parentUuid } = record;
  return (
    acceptsRecord(record) &&
    (parentUuid === null || typeof parentUuid === "string") &&
    !(record["type"] === "system" && besideChain.test(asString(record["subtype"]) ?? ""))
  );
}

/** What a system record is about. */
export function payloadOf(record: JsonObject): JsonObject {
  return isObject(record["systemPayload"]) ? record["systemPayload"] : {};
}

/** The contents that stand for everything before a record; undefined if it replaces nothing. */
export function historyIn(record: JsonObject): readonly JsonObject[] | undefined {
  if (record["type"] !== "system" || record["subtype"] !== "chat_compression") return undefined;
  const { compressedHistory } = payloadOf(record);
  return Array.isArray(compressedHistory) ? asArray(compressedHistory).filter(isObject) : undefined;
}

/** The subagent whose record it is. */
export function subagentOf(record: JsonObject): string | undefined {
  return record["isSidechain"] === true ? asString(record["agentId"]) : undefined;
}
