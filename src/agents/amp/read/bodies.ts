import { asCount, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { type Block, contentOfBlocks } from "../../../model/block.ts";
import type { EventBody } from "../../../model/event.ts";
import type { Usage } from "../../../model/usage.ts";
import { agentName } from "../locate.ts";
import { blocksIn, summaryIn, unnamedImage } from "../thread.ts";
import { answerOf, isFailure } from "./tool-run.ts";

/** What one message says. */
export interface MessageBodies {
  readonly bodies: readonly EventBody[];
  /** Whether the model is sent it when the thread is continued. */
  readonly sent: boolean;
  readonly unknown?: boolean;
}

/** Reads one message; `ordinal` is its place in the thread. */
export function bodiesOf(message: JsonObject, ordinal: number): MessageBodies {
  switch (message["role"]) {
    case "user":
      return { bodies: userBodies(message), sent: true };
    case "assistant":
      return { bodies: answerBodies(message, ordinal), sent: true };
    case "info":
      return infoBodies(message);
    default:
      return { bodies: [kept(message)], sent: false, unknown: true };
  }
}

function kept(value: JsonObject): EventBody {
  const name = asString(value["role"]) ?? asString(value["type"]) ?? "no role";
  return { type: "custom", name: `${agentName}/${name.slice(0, 64)}`, data: value };
}

/** What was typed, then the answers of tools, in the order of the blocks. */
function userBodies(message: JsonObject): readonly EventBody[] {
  const bodies: EventBody[] = [];
  let said: Block[] = [];
  const flush = (): void => {
    if (said.length > 0) bodies.push({ type: "user", content: contentOfBlocks(said) });
    said = [];
  };
  for (const block of blocksIn(message)) {
    if (block["type"] === "tool_result") {
      flush();
      bodies.push(toolBody(block));
    } else said.push(blockOf(block));
  }
  flush();
  return bodies.length > 0 ? bodies : [{ type: "user", content: "" }];
}

function blockOf(block: JsonObject): Block {
  const text = asString(block["text"]);
  if (block["type"] === "text" && text !== undefined) return { type: "text", text };
  const { source } = block;
  if (block["type"] === "image" && isObject(source)) {
    const mediaType = asString(source["mediaType"]) ?? "image/png";
    const data = asString(source["data"]);
    const url = asString(source["url"]);
    const path = asString(block["sourcePath"]);
    const named = path === undefined || path === unnamedImage ? {} : { name: path };
    if (data !== undefined)
      return { type: "image", mediaType, source: { kind: "base64", data }, ...named };
    if (url !== undefined)
      return { type: "image", mediaType, source: { kind: "url", url }, ...named };
  }
  return { type: "opaque", from: agentName, value: block };
}

function toolBody(block: JsonObject): EventBody {
  const run = isObject(block["run"]) ? block["run"] : {};
  const { progress: _shown, ...details } = run;
  return {
    type: "tool_result",
    call: asString(block["toolUseID"]) ?? "",
    content: answerOf(run),
    ...(isFailure(run) && { isError: true }),
    ...(Object.keys(details).length > 0 && { details }),
  };
}

function answerBodies(message: JsonObject, ordinal: number): readonly EventBody[] {
  const stated = isObject(message["usage"]) ? message["usage"] : undefined;
  const model = asString(stated?.["model"]);
  const stamp = { message: String(ordinal), ...(model !== undefined && { model }) };
  const bodies = blocksIn(message).map((block) => spoken(block, stamp));
  const last = bodies.pop() ?? { type: "assistant", content: "", ...stamp };
  const state = isObject(message["state"]) ? message["state"] : {};
  const isOver = last.type === "assistant" && state["stopReason"] === "end_turn";
  const counted = stated === undefined || last.type === "custom" ? {} : { usage: usageOf(stated) };
  return [...bodies, { ...last, ...counted, ...(isOver && { endTurn: true }) } as EventBody];
}

function spoken(block: JsonObject, stamp: { readonly message: string }): EventBody {
  switch (block["type"]) {
    case "text":
      return { type: "assistant", content: asString(block["text"]) ?? "", ...stamp };
    case "thinking": {
      const signature = asString(block["signature"]);
      const content = asString(block["thinking"]) ?? "";
      return { type: "thinking", content, ...(signature && { signature }), ...stamp };
    }
    case "redacted_thinking": {
      const signature = asString(block["data"]);
      return {
        type: "thinking",
        content: "",
        redacted: true,
        ...(signature && { signature }),
        ...stamp,
      };
    }
    case "tool_use":
      return {
        type: "tool_use",
        call: asString(block["id"]) ?? "",
        name: asString(block["name"]) ?? "unknown",
        input: block["input"] ?? block["inputIncomplete"] ?? {},
        ...stamp,
      };
    default:
      return kept(block);
  }
}

/** A summary, or what a person ran in the program's own shell; the rest is kept as it is. */
function infoBodies(message: JsonObject): MessageBodies {
  const summary = summaryIn(message);
  if (summary !== undefined) return { bodies: [{ type: "compaction", summary }], sent: true };
  const bodies = blocksIn(message).map((block): EventBody => {
    const { args, toolRun } = block;
    if (block["type"] !== "manual_bash_invocation" || !isObject(args)) return kept(block);
    const content = `${asString(args["cmd"]) ?? ""}\n${printed(toolRun)}`.trimEnd();
    return { type: "user", content, ran: true };
  });
  const isRun = bodies.some(({ type }) => type === "user");
  const isHidden = blocksIn(message).some(({ hidden }) => hidden === true);
  return {
    bodies: bodies.length > 0 ? bodies : [kept(message)],
    sent: isRun && !isHidden,
    ...(!isRun && { unknown: true }),
  };
}

function printed(run: unknown): string {
  if (!isObject(run)) return "";
  const { result } = run;
  return (isObject(result) ? asString(result["output"]) : undefined) ?? answerOf(run);
}

/** The tokens of an answer; the input is counted apart from the cache. */
function usageOf(stated: JsonObject): Usage {
  const count = (name: string): number | undefined => asCount(stated[name]);
  const cacheRead = count("cacheReadInputTokens");
  const cacheWrite = count("cacheCreationInputTokens");
  return {
    input: count("inputTokens") ?? 0,
    output: count("outputTokens") ?? 0,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}
