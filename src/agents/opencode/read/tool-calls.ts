import { asArray, asNumber, asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { SubagentEvent, ToolResultEvent, ToolUseEvent } from "../../../model/event.ts";
import { compact, objectOf } from "../schema.ts";
import { blockOfFile } from "./content.ts";
import { spillFile } from "./side-files.ts";

/** What the program sends in place of an output it has cleared. */
export const clearedOutput = "[Old tool result content cleared]";

/** A `tool` part taken apart: call and result are one part in the store. */
export interface ToolEvents {
  readonly use: ToolUseEvent;
  /** Absent while the tool is pending or running, also where it was killed. */
  readonly result?: ToolResultEvent;
  /** What is sent in place of the result, where the program has cleared it. */
  readonly replayed?: ToolResultEvent;
  readonly subagent?: SubagentEvent;
  readonly endedMs?: number;
}

/** The events of a `tool` part. */
export function toolEvents(part: JsonObject, place: { readonly root?: string }): ToolEvents {
  const state = objectOf(part["state"]) ?? {};
  const metadata = objectOf(state["metadata"]) ?? {};
  const call = asString(part["callID"]) ?? asString(part["id"]) ?? "";
  const name = asString(part["tool"]) ?? "unknown";
  const time = objectOf(state["time"]) ?? {};
  const result = resultOf(state, { call, name, metadata, root: place.root });
  const isCleared = result !== undefined && asNumber(time["compacted"]) !== undefined;
  const subagent = subagentOf(state, { call, metadata });
  return compact<ToolEvents>({
    use: { type: "tool_use", call, name, input: state["input"] ?? {} },
    result,
    replayed: isCleared ? { type: "tool_result", call, name, content: clearedOutput } : undefined,
    subagent,
    endedMs: asNumber(time["end"]),
  });
}

function resultOf(
  state: JsonObject,
  tool: {
    readonly call: string;
    readonly name: string;
    readonly metadata: JsonObject;
    readonly root: string | undefined;
  },
): ToolResultEvent | undefined {
  const { call, name, metadata } = tool;
  const status = asString(state["status"]);
  if (status !== "completed" && status !== "error") return undefined;
  const spill = spillFile(tool.root, metadata["outputPath"]);
  const details = compact<Record<string, unknown>>({
    status,
    title: asString(state["title"]) || undefined,
    exit: asNumber(metadata["exit"]),
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
    spill,
  });
  const base = { type: "tool_result", call, name, details } as const;
  if (status === "error") {
    // A tool that was stopped half-way gives what it had so far.
    const partial = metadata["interrupted"] === true ? asString(metadata["output"]) : undefined;
    if (partial !== undefined) return { ...base, content: partial };
    return { ...base, content: asString(state["error"]) ?? "", isError: true };
  }
  const text = asString(state["output"]) ?? "";
  const attachments = asArray(state["attachments"]).filter(isObject).map(blockOfFile);
  if (attachments.length === 0) return { ...base, content: text };
  return { ...base, content: [{ type: "text", text }, ...attachments] };
}

/** The child session a task ran in; before 1.0 only the child's own parts name it. */
function subagentOf(
  state: JsonObject,
  tool: { readonly call: string; readonly metadata: JsonObject },
): SubagentEvent | undefined {
  const [first] = asArray(tool.metadata["summary"]).filter(isObject);
  const session = asString(tool.metadata["sessionId"]) ?? asString(first?.["sessionID"]);
  if (session === undefined) return undefined;
  const input = objectOf(state["input"]) ?? {};
  return compact<SubagentEvent>({
    type: "subagent",
    session,
    name: asString(input["subagent_type"]),
    call: tool.call,
    status: asString(state["status"]),
    summary: asString(input["description"]),
  });
}
