import {
  asArray,
  asNumber,
  asString,
  isObject,
  type JsonObject,
  parseObject,
} from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { tailLines } from "../../jsonl/tail-lines.ts";
import type { BridgeEvent, ContextUsage } from "../../model/bridge-event.ts";
import { commonEvent, field, keyed, tasksIn, toolFields } from "../../model/hook-payload.ts";
import { type Said, saidBy } from "../../model/said.ts";
import { contextTokens } from "../../model/usage.ts";
import type { AgentHooks } from "../hooks-contract.ts";
import { tokenReport, usageOf } from "./token-usage.ts";

const agentName = "codex";

const kinds = {
  SessionStart: "session_start",
  UserPromptSubmit: "prompt",
  PreToolUse: "tool_before",
  PostToolUse: "tool_after",
  PreCompact: "pre_compact",
  SubagentStart: "subagent_start",
  SubagentStop: "subagent_stop",
  Stop: "stop",
  SessionEnd: "session_end",
} as const;

const shells: ReadonlySet<string> = new Set(["Bash", "exec_command", "shell", "local_shell"]);
const patchedFile = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

/** How Codex's hooks speak. */
export const codexHooks: AgentHooks = {
  agent: agentName,
  injects: ["session_start", "prompt"],
  toEvent: (payload) => notified(payload) ?? hooked(payload),
  toOutput: (text, { name }) =>
    JSON.stringify({ hookSpecificOutput: { hookEventName: name, additionalContext: text } }),
  usageFromTail,
  said,
  install: async () => (await import("./hooks/install.ts")).install,
};

/** What the `notify` program is reported after each turn, whether hooks are trusted or not. */
function notified(payload: JsonObject): BridgeEvent | undefined {
  if (payload["type"] !== "agent-turn-complete") return undefined;
  const session = field(payload, "thread-id");
  if (session === undefined) return undefined;
  return {
    kind: "stop",
    agent: agentName,
    session,
    name: "notify",
    ...keyed("cwd", field(payload, "cwd")),
    ...keyed("answer", asString(payload["last-assistant-message"])),
  };
}

function hooked(payload: JsonObject): BridgeEvent | undefined {
  const event = commonEvent(payload, { agent: agentName, kinds });
  if (event === undefined) return undefined;
  const id = field(payload, "agent_id");
  const tool = toolFields(payload, { kind: event.kind, edits: {}, shells });
  const input = isObject(payload["tool_input"]) ? payload["tool_input"] : {};
  const patch =
    tool.tool === "apply_patch" ? asString(input["command"] ?? input["input"]) : undefined;
  const files = [...(patch ?? "").matchAll(patchedFile)].map((match) => match[1]!.trim());
  const tasks = tool.tool === "update_plan" ? tasksIn(asArray(input["plan"])) : undefined;
  return {
    ...event,
    ...tool,
    ...(files.length > 0 && { files }),
    ...keyed("tasks", tasks),
    ...(id !== undefined && { subagent: { id, ...keyed("type", field(payload, "agent_type")) } }),
  };
}

/** The newest count of one response; a compaction makes what was counted before it void. */
function usageFromTail(transcript: string): ContextUsage | undefined {
  let windowTokens: number | undefined;
  for (const line of tailLines(transcript, limits.usageTailBytes)) {
    const counts = line.includes('"token_count"') || line.includes('"token_usage_record"');
    if (!counts && !line.includes('"compacted"')) continue;
    const record = parseObject(line.toString("utf8"));
    const payload = record?.["payload"];
    if (record === undefined || !isObject(payload)) continue;
    if (record["type"] === "compacted") return undefined;
    const type = record["type"] === "event_msg" ? payload["type"] : record["type"];
    if (type !== "token_count" && type !== "token_usage_record") continue;
    const info = payload["info"];
    windowTokens ??= isObject(info) ? asNumber(info["model_context_window"]) : undefined;
    const last = tokenReport(type, payload)?.last;
    const tokens = last === undefined ? 0 : contextTokens(usageOf(last));
    // The window stands in one kind of record only, the next one up.
    if (tokens > 0) return { contextTokens: tokens, ...keyed("windowTokens", windowTokens) };
  }
  return undefined;
}

function said(line: string): Said | undefined {
  // Outputs of tools are most of a rollout: told by a look, not parsed.
  if (!line.includes('"user') && !line.includes('"assistant"')) return undefined;
  const { type, payload } = parseObject(line) ?? {};
  if (type !== "response_item" || !isObject(payload) || payload["type"] !== "message")
    return undefined;
  return saidBy(payload["role"], payload["content"]);
}
