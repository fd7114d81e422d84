import type { Environment } from "../../base/env.ts";
import { asNumber, asString, isObject, type JsonObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { tailLines } from "../../jsonl/tail-lines.ts";
import type { BridgeEvent, ContextUsage } from "../../model/bridge-event.ts";
import { commonEvent, field, keyed, toolFields } from "../../model/hook-payload.ts";
import { type Said, saidBy } from "../../model/said.ts";
import { contextTokens } from "../../model/usage.ts";
import type { AgentHooks } from "../hooks-contract.ts";
import { agentName, syntheticModel } from "./record-types.ts";
import { usageOf } from "./token-usage.ts";

const kinds = {
  SessionStart: "session_start",
  UserPromptSubmit: "prompt",
  PreToolUse: "tool_before",
  PostToolUse: "tool_after",
  // A command that fails fires this and not the one before.
  PostToolUseFailure: "tool_failed",
  PreCompact: "pre_compact",
  SubagentStart: "subagent_start",
  SubagentStop: "subagent_stop",
  Stop: "stop",
  SessionEnd: "session_end",
} as const;

const edits = {
  Write: "file_path",
  Edit: "file_path",
  MultiEdit: "file_path",
  NotebookEdit: "notebook_path",
};
const shells: ReadonlySet<string> = new Set(["Bash"]);

/** How Claude Code's hooks speak. */
export const claudeCodeHooks: AgentHooks = {
  agent: agentName,
  // At Stop the turn would go on and on; at SessionEnd any output is an error.
  injects: ["session_start", "prompt"],
  toEvent,
  toOutput: (text, { name }) =>
    JSON.stringify({ hookSpecificOutput: { hookEventName: name, additionalContext: text } }),
  usageFromTail,
  said,
  sessionNote,
  install: async () => (await import("./hooks/install.ts")).install,
};

function toEvent(payload: JsonObject): BridgeEvent | undefined {
  const event = commonEvent(payload, { agent: agentName, kinds });
  if (event === undefined) return undefined;
  const id = field(payload, "agent_id");
  const type = field(payload, "agent_type");
  // A compaction ends with the stop of a subagent that never was one.
  const kind = event.kind === "subagent_stop" && type === undefined ? "other" : event.kind;
  const subagent = id === undefined ? undefined : { id, ...keyed("type", type) };
  return {
    ...event,
    kind,
    ...toolFields(payload, { kind, edits, shells }),
    ...keyed("subagent", subagent),
  };
}

/** The newest model message of the main conversation; after a compaction, what it left. */
function usageFromTail(transcript: string): ContextUsage | undefined {
  for (const line of tailLines(transcript, limits.usageTailBytes)) {
    const boundary = line.includes('"compact_boundary"');
    if (!boundary && !(line.includes('"usage":') && line.includes('"assistant"'))) continue;
    const record = parseObject(line.toString("utf8"));
    if (record === undefined || record["isSidechain"] === true) continue;
    if (record["subtype"] === "compact_boundary") return afterCompaction(record);
    const message = record["message"];
    if (record["type"] !== "assistant" || !isObject(message)) continue;
    const model = asString(message["model"]);
    const usage = usageOf(message["usage"]);
    if (usage === undefined || model === syntheticModel) continue;
    const tokens = contextTokens(usage);
    if (tokens > 0) return { contextTokens: tokens, ...keyed("model", model) };
  }
  return undefined;
}

function afterCompaction(record: JsonObject): ContextUsage | undefined {
  const metadata = record["compactMetadata"];
  const tokens = isObject(metadata) ? asNumber(metadata["postTokens"]) : undefined;
  return tokens === undefined ? undefined : { contextTokens: tokens };
}

function said(line: string): Said | undefined {
  // Tool results and snapshots are most of a transcript: told by a look, not parsed.
  if (!line.includes('"user') && !line.includes('"assistant"')) return undefined;
  const record = parseObject(line);
  const message = record?.["message"];
  if (record === undefined || !isObject(message)) return undefined;
  const isProgram = record["isMeta"] === true || record["isSidechain"] === true;
  if (isProgram || record["isCompactSummary"] === true) return undefined;
  return saidBy(message["role"], message["content"]);
}

/** The program runs what this file holds before each command of the session. */
function sessionNote(
  { kind, session }: BridgeEvent,
  variables: Environment["variables"],
): { readonly file: string; readonly line: string } | undefined {
  const file = variables["CLAUDE_ENV_FILE"];
  if (kind !== "session_start" || file === undefined || file === "") return undefined;
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(session)) return undefined;
  return { file, line: `export REPRISE_SESSION='${agentName}:${session}'\n` };
}
