import { asString, isObject, type JsonObject, withoutAbsent } from "../../../base/json.ts";
import type { EventBody } from "../../../model/event.ts";

/** A subagent's message, told in its parent's transcript while it worked (versions 2.1.0 to 2.1.63). */
export interface ToldMessage {
  readonly agent: string;
  /** The message as the subagent's own transcript has it. */
  readonly record: JsonObject;
}

/** The message of a subagent that a progress record says; undefined if it says something else. */
export function toldMessage(record: JsonObject): ToldMessage | undefined {
  const { data } = record;
  if (record["type"] !== "progress" || !isObject(data)) return undefined;
  const agent = data["type"] === "agent_progress" ? asString(data["agentId"]) : undefined;
  const message = data["message"];
  if (agent === undefined || !isAgentId.test(agent) || !isObject(message)) return undefined;
  return { agent, record: message };
}

const isAgentId = /^[A-Za-z0-9_-]{1,128}$/;

/** How far something was that the program waited for: a command, a hook, a tool of a server, a search, a task. */
export function progressBody(record: JsonObject): EventBody {
  const data = isObject(record["data"]) ? record["data"] : {};
  const kind = asString(data["type"]) ?? "";
  const call = asString(record["parentToolUseID"]) ?? "";
  switch (kind) {
    case "hook_progress":
      return { type: "hook", event: asString(data["hookEvent"]) ?? kind, data };
    case "bash_progress":
      return { type: "process", process: call, status: "running", data };
    case "mcp_progress": {
      const command = [asString(data["serverName"]), asString(data["toolName"])]
        .filter((name) => name !== undefined)
        .join(" ");
      const status = asString(data["status"]);
      return { type: "process", process: call, command, ...withoutAbsent({ status }), data };
    }
    case "waiting_for_task": {
      const title = asString(data["taskDescription"]);
      return { type: "task", task: call, ...withoutAbsent({ title }), status: "waiting", data };
    }
    default:
      return { type: "custom", name: `progress:${kind}`, data };
  }
}
