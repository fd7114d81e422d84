import { asArray, asNumber, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { contentOfBlocks, textBlock } from "../../../model/block.ts";
import type { EventBody } from "../../../model/event.ts";
import type { Usage } from "../../../model/usage.ts";
import { dataOf, isQuiet, subagentOf, summaryIn } from "../record-types.ts";
import { typedText } from "../typed-text.ts";
import { type AssetOf, answerOf, attachmentsOf, detailsOf } from "./content.ts";
import { contextOf } from "./context.ts";

/** What one record says. */
export interface RecordBodies {
  readonly bodies: readonly EventBody[];
  /** Whether the model is sent it when the session is resumed. */
  readonly sent: boolean;
  /** Whether nobody knows this type; it is kept as it is. */
  readonly unknown?: boolean;
}

/** What is known of a record besides itself. */
export interface Around {
  /** What its answer took. */
  readonly usage?: Usage | undefined;
  readonly assetOf?: AssetOf;
}

/** Reads one record. */
export function bodiesOf(record: JsonObject, around: Around = {}): RecordBodies {
  const data = dataOf(record);
  const said = conversation(record, data, around);
  if (said !== undefined) {
    // What a subagent says stays with it: only its report goes on, as the answer to a call.
    return { bodies: said, sent: subagentOf(record) === undefined };
  }
  const type = asString(record["type"]) ?? "";
  const told = beside(type, data, record);
  if (told !== undefined) return { bodies: [told], sent: type === "session.start" };
  const kept: EventBody = { type: "custom", name: `copilot-cli/${type.slice(0, 64)}`, data };
  if (isQuiet(type)) return { bodies: [kept], sent: false };
  return { bodies: [{ ...kept, data: record }], sent: false, unknown: true };
}

/** What belongs to the conversation that the program replays; undefined if a record does not. */
function conversation(
  record: JsonObject,
  data: JsonObject,
  { usage, assetOf = () => undefined }: Around,
): readonly EventBody[] | undefined {
  const summary = summaryIn(record);
  if (summary !== undefined) {
    const tokensBefore = asNumber(data["preCompactionTokens"]);
    return [{ type: "compaction", summary, ...(tokensBefore !== undefined && { tokensBefore }) }];
  }
  switch (record["type"]) {
    case "user.message":
      return promptBodies(data, assetOf);
    case "assistant.message":
      return answerBodies(data, usage);
    case "tool.execution_complete":
      return [toolBody(data)];
    case "system.notification":
      return [{ type: "user", content: asString(data["content"]) ?? "", injected: true }];
    default:
      return undefined;
  }
}

function promptBodies(data: JsonObject, assetOf: AssetOf): readonly EventBody[] {
  const typed = asString(data["content"]) ?? "";
  const parts = typedText(typed, asString(data["transformedContent"]));
  const attached = attachmentsOf(data, assetOf);
  const { source } = data;
  const isTyped = source === undefined || source === "user";
  const bodies: EventBody[] = [];
  if (parts.before.trim() !== "")
    bodies.push({ type: "user", content: parts.before, injected: true });
  const blocks = typed === "" && attached.length > 0 ? attached : [textBlock(typed), ...attached];
  bodies.push({
    type: "user",
    content: contentOfBlocks(blocks),
    ...(!isTyped && { injected: true }),
  });
  if (parts.behind.trim() !== "")
    bodies.push({ type: "user", content: parts.behind, injected: true });
  return bodies;
}

function answerBodies(data: JsonObject, usage: Usage | undefined): readonly EventBody[] {
  const message = asString(data["messageId"]);
  const model = asString(data["model"]);
  const shared = {
    ...(message !== undefined && { message }),
    ...(model !== undefined && { model }),
  };
  const thought = asString(data["reasoningText"]);
  const text = asString(data["content"]) ?? "";
  const calls = asArray(data["toolRequests"]).filter(isObject);
  const counted = usage === undefined ? {} : { usage };
  const bodies: EventBody[] = [];
  if (thought) bodies.push({ type: "thinking", content: thought, ...shared });
  const isLast = calls.length === 0;
  if (text !== "" || isLast) {
    const ending = isLast ? { ...counted, endTurn: true } : {};
    bodies.push({ type: "assistant", content: text, ...shared, ...ending });
  }
  for (const [index, call] of calls.entries()) {
    bodies.push({
      type: "tool_use",
      call: asString(call["toolCallId"]) ?? "",
      name: asString(call["name"]) ?? "",
      input: call["arguments"],
      ...shared,
      ...(index === calls.length - 1 && counted),
    });
  }
  return bodies;
}

/** A tool's answer; what a person ran with `!` is reported as theirs. */
function toolBody(data: JsonObject): EventBody {
  const content = answerOf(data);
  if (data["isUserRequested"] === true) return { type: "user", content, ran: true };
  const details = detailsOf(data);
  return {
    type: "tool_result",
    call: asString(data["toolCallId"]) ?? "",
    content,
    ...(data["success"] === false && { isError: true }),
    ...(details !== undefined && { details }),
  };
}

/** What is reported beside the conversation; undefined if a record is kept as it is. */
function beside(type: string, data: JsonObject, record: JsonObject): EventBody | undefined {
  switch (type) {
    case "session.start":
      return startBody(data);
    case "session.resume":
    case "session.model_change":
    case "session.context_changed":
      return { type: "meta", ...modelIn(data), ...contextOf(data) };
    case "session.title_changed":
      return { type: "meta", title: asString(data["title"]) ?? null };
    case "system.message":
      return { type: "system", content: asString(data["content"]) ?? "" };
    case "session.error":
    case "session.info":
    case "session.warning":
      return { type: "note", content: asString(data["message"]) ?? "" };
    case "abort":
      return { type: "note", content: `Aborted: ${asString(data["reason"]) ?? "no reason given"}` };
    case "permission.completed":
      return approvalBody(data);
    case "subagent.started":
    case "subagent.completed":
    case "subagent.failed":
      return subagentBody(type.slice("subagent.".length), data, record);
    default:
      return undefined;
  }
}

function startBody(data: JsonObject): EventBody {
  const version = asString(data["copilotVersion"]);
  return {
    type: "session_start",
    format: asNumber(data["version"]) ?? 1,
    session: asString(data["sessionId"]) ?? "",
    agent: { name: "copilot-cli", ...(version !== undefined && { version }) },
    ...modelIn(data),
    ...contextOf(data),
  };
}

function modelIn(data: JsonObject): { readonly model?: string } {
  const model = asString(data["newModel"]) ?? asString(data["selectedModel"]);
  return model === undefined ? {} : { model };
}

function approvalBody(data: JsonObject): EventBody {
  const call = asString(data["toolCallId"]);
  const decision = isObject(data["result"]) ? asString(data["result"]["kind"]) : undefined;
  return {
    type: "approval",
    decision: decision ?? "unknown",
    ...(call !== undefined && { call }),
  };
}

function subagentBody(status: string, data: JsonObject, record: JsonObject): EventBody {
  const call = asString(data["toolCallId"]);
  const name = asString(data["agentName"]);
  const error = asString(data["error"]);
  return {
    type: "subagent",
    session: asString(record["agentId"]) ?? call ?? "",
    status,
    ...(name !== undefined && { name }),
    ...(call !== undefined && { call }),
    ...(error !== undefined && { summary: error }),
  };
}
