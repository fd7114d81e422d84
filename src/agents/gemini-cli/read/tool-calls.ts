import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { EventBody } from "../../../model/event.ts";
import { partsOf, toolResult, toolUse } from "../../gemini-parts.ts";
import { contentOf } from "./content.ts";

/** What our own writer adds to the id of a call that only feeds the screen. */
const shownSuffix = /#shown$/;

/** One entry of a message's `toolCalls`. */
export interface ToolCall {
  readonly id: string;
  readonly use: Extract<EventBody, { type: "tool_use" }>;
  /** Absent where the entry feeds the screen only, or the tool never finished. */
  readonly result?: Extract<EventBody, { type: "tool_result" }>;
  readonly subagent?: Extract<EventBody, { type: "subagent" }>;
  readonly details: JsonObject | undefined;
  readonly failed: boolean;
  readonly at?: string;
}

/** An entry of `toolCalls` taken apart: the call, its result, and what only the screen shows. */
export function toolCallOf(
  entry: JsonObject,
  options: { readonly message: string | undefined; readonly ordinal: number },
): ToolCall {
  const use = toolUse(entry, options);
  const id = use.call.replace(shownSuffix, "");
  const status = asString(entry["status"]);
  const failed = status === "error" || status === "cancelled";
  const details = detailsOf(entry, status);
  const result = resultOf(entry["result"], { call: id, name: use.name });
  const agentId = asString(entry["agentId"]);
  const at = asString(entry["timestamp"]);
  return {
    id,
    use: { ...use, call: id },
    ...(result === undefined ? {} : { result }),
    ...(agentId === undefined ? {} : { subagent: subagentOf(agentId, use, status) }),
    details,
    failed,
    ...(at === undefined ? {} : { at }),
  };
}

/** The result with what `toolCalls` knows besides: failure, and what the screen showed. */
export function withDetails(
  result: Extract<EventBody, { type: "tool_result" }>,
  call: ToolCall | undefined,
): Extract<EventBody, { type: "tool_result" }> {
  if (call === undefined) return result;
  return {
    ...result,
    ...(call.failed ? { isError: true } : {}),
    ...(call.details === undefined ? {} : { details: call.details }),
  };
}

function detailsOf(entry: JsonObject, status: string | undefined): JsonObject | undefined {
  const display = entry["resultDisplay"];
  const details = {
    ...(status === undefined ? {} : { status }),
    ...(display === undefined || display === "" || display === null
      ? {}
      : { resultDisplay: display }),
  };
  return Object.keys(details).length === 0 ? undefined : details;
}

function subagentOf(
  session: string,
  use: Extract<EventBody, { type: "tool_use" }>,
  status: string | undefined,
): Extract<EventBody, { type: "subagent" }> {
  const name = isObject(use.input) ? asString(use.input["agent_name"]) : undefined;
  return {
    type: "subagent",
    session,
    ...(name === undefined ? {} : { name }),
    call: use.call,
    ...(status === undefined ? {} : { status }),
  };
}

function resultOf(
  result: unknown,
  call: { readonly call: string; readonly name: string },
): Extract<EventBody, { type: "tool_result" }> | undefined {
  if (result === undefined || result === null) return undefined;
  if (typeof result === "string") return { type: "tool_result", ...call, content: result };
  const parts = partsOf(result);
  const responses = parts.map((part) => part["functionResponse"]).filter(isObject);
  // After a resume an entry may hold the responses of all calls of its turn.
  const response = responses.find((one) => one["id"] === call.call) ?? responses[0];
  const beside = parts.filter((part) => !isObject(part["functionResponse"]));
  if (isObject(response))
    return { ...toolResult(response, { from: "gemini-cli", beside }), ...call };
  if (asArray(result).length === 0) return undefined;
  return { type: "tool_result", ...call, content: contentOf(beside) };
}
