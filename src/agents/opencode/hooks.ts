import { asNumber, asString, isObject, type JsonObject } from "../../base/json.ts";
import type { BridgeEvent, ContextUsage } from "../../model/bridge-event.ts";
import { commonEvent, field, keyed, toolFields } from "../../model/hook-payload.ts";
import { contextTokens } from "../../model/usage.ts";
import type { AgentHooks } from "../hooks-contract.ts";
import { usageOf } from "./schema.ts";

const agentName = "opencode";

/** Our plugin speaks as the hooks of the other agents do, in OpenCode's names. */
const kinds = {
  "session.created": "session_start",
  "chat.message": "prompt",
  "tool.execute.before": "tool_before",
  "tool.execute.after": "tool_after",
  // The hook for finished tools leaves failed ones out; the message's part reports them.
  "tool.failed": "tool_failed",
  "session.compacting": "pre_compact",
  "session.compacted": "post_compact",
  "session.idle": "stop",
  dispose: "session_end",
} as const;

const edits = { write: "filePath", edit: "filePath", multiedit: "filePath" };
const shells: ReadonlySet<string> = new Set(["bash"]);

/** How our plugin for OpenCode speaks. */
export const opencodeHooks: AgentHooks = {
  agent: agentName,
  injects: ["prompt"],
  toEvent,
  toOutput: (text) => JSON.stringify({ context: text }),
  // Sessions lie in a database; the plugin passes the counts along.
  usageFromTail: () => undefined,
  install: async () => (await import("./hooks/install.ts")).install,
};

function toEvent(payload: JsonObject): BridgeEvent | undefined {
  const event = commonEvent(payload, { agent: agentName, kinds });
  if (event === undefined) return undefined;
  const parent = field(payload, "parent_id");
  return {
    ...event,
    ...toolFields(payload, { kind: event.kind, edits, shells }),
    ...keyed("agentName", field(payload, "agent_name")),
    ...keyed("usage", usageIn(payload)),
    ...(parent !== undefined && { subagent: { id: event.session } }),
  };
}

function usageIn(payload: JsonObject): ContextUsage | undefined {
  const usage = isObject(payload["tokens"]) ? usageOf(payload) : undefined;
  const tokens = usage === undefined ? 0 : contextTokens(usage);
  if (tokens === 0) return undefined;
  return {
    contextTokens: tokens,
    ...keyed("model", asString(payload["model"])),
    ...keyed("windowTokens", asNumber(payload["window"])),
  };
}
