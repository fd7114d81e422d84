import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { EventBody } from "../../../model/event.ts";

/** Events that say again what an item or another record says, or only that something began or ended. */
const repeating: ReadonlySet<string> = new Set([
  "user_message",
  "agent_message",
  "agent_reasoning",
  "agent_reasoning_raw_content",
  "agent_reasoning_section_break",
  "agent_message_content_delta",
  "reasoning_content_delta",
  "reasoning_raw_content_delta",
  "context_compacted",
  "task_started",
  "turn_started",
  "task_complete",
  "turn_complete",
  "token_count",
  "thread_settings_applied",
  "session_configured",
  "exec_command_begin",
  "exec_command_end",
  "exec_command_output_delta",
  "terminal_interaction",
  "patch_apply_begin",
  "patch_apply_end",
  "patch_apply_updated",
  "turn_diff",
  "mcp_tool_call_begin",
  "mcp_tool_call_end",
  "web_search_begin",
  "web_search_end",
  "image_generation_begin",
  "image_generation_end",
  "view_image_tool_call",
  "item_started",
  "hook_started",
  "hook_completed",
  "sub_agent_activity",
  "collab_agent_spawn_begin",
  "collab_agent_spawn_end",
  "collab_agent_interaction_begin",
  "collab_agent_interaction_end",
  "collab_waiting_begin",
  "collab_waiting_end",
  "collab_close_begin",
  "collab_close_end",
  "collab_resume_begin",
  "collab_resume_end",
  "dynamic_tool_call_request",
  "dynamic_tool_call_response",
  "raw_response_item",
  "raw_response_completed",
  "shutdown_complete",
  "mcp_startup_update",
  "mcp_startup_complete",
]);

/** Items of `item_completed` that the history holds as items of its own. */
const repeatingItems: ReadonlySet<string> = new Set([
  "UserMessage",
  "HookPrompt",
  "AgentMessage",
  "Reasoning",
  "CommandExecution",
  "DynamicToolCall",
  "CollabAgentToolCall",
  "SubAgentActivity",
  "WebSearch",
  "ImageView",
  "ImageGeneration",
  "FileChange",
  "McpToolCall",
  "ContextCompaction",
]);

/** Known events that are kept as they are. */
const keptAsTheyAre: ReadonlySet<string> = new Set([
  "thread_rolled_back",
  "entered_review_mode",
  "exited_review_mode",
  "thread_goal_updated",
  "exec_approval_request",
  "apply_patch_approval_request",
  "model_reroute",
]);

/** What an event message adds to the items; "nothing" where it repeats them, undefined if unknown. */
export function eventMessage(
  inner: string,
  payload: JsonObject,
): EventBody | "nothing" | undefined {
  if (repeating.has(inner)) return "nothing";
  if (keptAsTheyAre.has(inner)) return { type: "custom", name: inner, data: payload };
  switch (inner) {
    case "turn_aborted":
      return { type: "note", content: `Turn aborted: ${asString(payload["reason"]) ?? "unknown"}` };
    case "error":
    case "stream_error":
    case "warning":
    case "guardian_warning":
    case "background_event":
    case "deprecation_notice":
      return { type: "note", content: asString(payload["message"]) ?? inner };
    case "thread_name_updated":
      return { type: "meta", title: asString(payload["thread_name"]) ?? null };
    case "plan_update":
      return { type: "plan", content: planText(payload["plan"], payload["explanation"]) };
    case "item_completed":
      return completedItem(payload["item"]);
    default:
      return undefined;
  }
}

function completedItem(item: unknown): EventBody | "nothing" | undefined {
  if (!isObject(item)) return undefined;
  const type = asString(item["type"]) ?? "";
  if (repeatingItems.has(type)) return "nothing";
  if (type === "Plan") return { type: "plan", content: asString(item["text"]) ?? "" };
  const known = type === "Extension" || type.endsWith("ReviewMode");
  return known ? { type: "custom", name: `item_completed/${type}`, data: item } : undefined;
}

function planText(steps: unknown, explanation: unknown): string {
  const lines = asArray(steps).flatMap((step) =>
    isObject(step) ? [`[${asString(step["status"]) ?? ""}] ${asString(step["step"]) ?? ""}`] : [],
  );
  const said = asString(explanation);
  return (said === undefined ? lines : [said, ...lines]).join("\n");
}

/** Whether an event message begins or ends a turn. */
export function endsTurn(inner: string): boolean {
  return (
    inner === "task_started" ||
    inner === "turn_started" ||
    inner === "task_complete" ||
    inner === "turn_complete" ||
    inner === "turn_aborted"
  );
}
