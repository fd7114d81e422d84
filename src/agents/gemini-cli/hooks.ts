import { asArray, asString, isObject, type JsonObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { tailLines } from "../../jsonl/tail-lines.ts";
import type { BridgeEvent, ContextUsage } from "../../model/bridge-event.ts";
import { commonEvent, keyed, toolFields } from "../../model/hook-payload.ts";
import { type Said, saidBy } from "../../model/said.ts";
import { contextTokens } from "../../model/usage.ts";
import type { AgentHooks } from "../hooks-contract.ts";
import { compressionIn, thanks } from "./hooks/newest-compression.ts";
import { usageOf } from "./read/bodies.ts";
import { startsAsRewrite } from "./read/message-rewrite.ts";

const agentName = "gemini-cli";

const kinds = {
  SessionStart: "session_start",
  BeforeAgent: "prompt",
  BeforeTool: "tool_before",
  AfterTool: "tool_after",
  AfterAgent: "stop",
  PreCompress: "pre_compact",
  SessionEnd: "session_end",
} as const;

const edits = { write_file: "file_path", replace: "file_path" };
const shells: ReadonlySet<string> = new Set(["run_shell_command"]);

/** How Gemini CLI's hooks speak. */
export const geminiCliHooks: AgentHooks = {
  agent: agentName,
  // What SessionStart gives in front of the first prompt makes that prompt vanish on resume.
  injects: ["prompt"],
  toEvent,
  toOutput: (text, { name }) =>
    JSON.stringify({ hookSpecificOutput: { hookEventName: name, additionalContext: text } }),
  usageFromTail,
  compactionIn: compressionIn,
  said,
  install: async () => (await import("./hooks/install.ts")).install,
};

function toEvent(payload: JsonObject): BridgeEvent | undefined {
  const event = commonEvent(payload, { agent: agentName, kinds });
  if (event === undefined) return undefined;
  const automatic = event.kind === "pre_compact" && payload["trigger"] !== "manual";
  const response = payload["tool_response"];
  const failed =
    event.kind === "tool_after" && isObject(response) && asString(response["error"]) !== undefined;
  const kind = automatic ? "other" : failed ? "tool_failed" : event.kind;
  const { transcript, ...rest } = event;
  // A resumed session's start names a file that is thrown away.
  const named = kind === "session_start" && event.source === "resume" ? undefined : transcript;
  return {
    ...rest,
    kind,
    ...keyed("transcript", named),
    ...keyed("answer", kind === "stop" ? asString(payload["prompt_response"]) : undefined),
    ...toolFields(payload, { kind, edits, shells }),
  };
}

/**
 * The newest message with counts; a list that replaced the conversation is looked through from its end, and
 * what stands before a compression is no longer in the context.
 */
function usageFromTail(transcript: string): ContextUsage | undefined {
  for (const line of tailLines(transcript, limits.usageTailBytes)) {
    const replaces = startsAsRewrite(line);
    if (!replaces && !line.includes('"tokens":')) continue;
    const record = parseObject(line.toString("utf8"));
    if (record === undefined) continue;
    const replaced = isObject(record["$set"]) ? asArray(record["$set"]["messages"]) : [record];
    for (const message of [...replaced].reverse()) {
      if (!isObject(message)) continue;
      const usage = usageOf(message["tokens"]);
      const tokens = usage === undefined ? 0 : contextTokens(usage);
      if (tokens > 0)
        return { contextTokens: tokens, ...keyed("model", asString(message["model"])) };
    }
    if (replaces && line.includes(thanks)) return undefined;
  }
  return undefined;
}

function said(line: string): Said | undefined {
  if (!line.includes('"user"') && !line.includes('"gemini"')) return undefined;
  const { type, content } = parseObject(line) ?? {};
  return saidBy(type === "gemini" ? "assistant" : type, content);
}
