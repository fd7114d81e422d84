import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { isTooHeavy } from "../../../base/json-weight.ts";
import { type Block, type Content, contentOfBlocks } from "../../../model/block.ts";
import type { EventBody } from "../../../model/event.ts";
import { unmarked, unmarkedText } from "../../../model/unseen-mark.ts";
import { isContextUserItem, isProgramText, isRan, textsOf } from "../typed-text.ts";
import { contentOf } from "./content.ts";
import { spawnedThread, toolOutput } from "./tool-output.ts";

/** The events one response item says; empty where the type is not known. */
export function itemBodies(item: JsonObject): readonly EventBody[] {
  switch (item["type"]) {
    case "message":
      return [messageBody(item)];
    case "reasoning":
      return [reasoningBody(item)];
    case "function_call":
      return [toolUse(item, calledName(item), argumentsOf(item["arguments"]))];
    case "custom_tool_call":
      return [toolUse(item, asString(item["name"]), item["input"])];
    case "local_shell_call":
      return [toolUse(item, "local_shell", item["action"])];
    case "tool_search_call":
      return [toolUse(item, "tool_search", item["arguments"])];
    case "function_call_output":
    case "custom_tool_call_output":
      return outputBodies(item);
    case "tool_search_output":
      return [toolResult(item, [foundTools(item["tools"])])];
    case "web_search_call":
      return [
        toolUse(item, "web_search", item["action"]),
        toolResult(item, asString(item["status"]) ?? ""),
      ];
    case "image_generation_call":
      return imageBodies(item);
    case "agent_message":
      return [agentBody(item)];
    case "compaction":
    case "compaction_summary":
    case "context_compaction":
    case "compaction_trigger":
    case "ghost_snapshot":
    case "additional_tools":
      return [{ type: "custom", name: String(item["type"]), data: item }];
    default:
      return [];
  }
}

/** The name of what was called; a tool of an MCP server is named with its server, as older versions wrote it. */
function calledName(item: JsonObject): string | undefined {
  const name = asString(item["name"]);
  const server = asString(item["namespace"]);
  return name !== undefined && server?.startsWith("mcp__") ? `${server}__${name}` : name;
}

/** A message from one agent to another, which the model is given like a prompt. */
export function agentBody(message: JsonObject): EventBody {
  const from = asString(message["author"]);
  const to = asString(message["recipient"]);
  return {
    type: "agent",
    name: from ?? "agent",
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    content: contentOf(message["content"]),
  };
}

function messageBody(item: JsonObject): EventBody {
  const content = contentOf(item["content"]);
  switch (item["role"]) {
    case "user":
      return {
        type: "user",
        content: asSaid(content),
        ...(isContextUserItem(item) && { injected: true }),
        ...(textsOf(item).some(isRan) && { ran: true }),
      };
    case "assistant":
      return {
        type: "assistant",
        content,
        ...(item["phase"] === "final_answer" && { endTurn: true }),
      };
    default:
      return { type: "system", content };
  }
}

function asSaid(content: Content): Content {
  if (typeof content === "string") return unmarkedText(content, isProgramText);
  return contentOfBlocks(unmarked(content, isProgramText));
}

/** What a search for tools found, as a text that names them. */
function foundTools(tools: unknown): Block {
  const names = asArray(tools).flatMap((tool) =>
    isObject(tool) ? (asString(tool["name"]) ?? []) : [],
  );
  const text = names.length === 0 ? "No tool found." : `Tools found: ${names.join(", ")}`;
  return { type: "text", text, native: { from: "codex", value: tools } };
}

function reasoningBody(item: JsonObject): EventBody {
  const parts = [...asArray(item["summary"]), ...asArray(item["content"])];
  const content = parts
    .flatMap((part) => (isObject(part) ? [asString(part["text"]) ?? ""] : []))
    .filter((text) => text !== "")
    .join("\n\n");
  const signature = asString(item["encrypted_content"]);
  return {
    type: "thinking",
    content,
    ...(signature !== undefined && { signature }),
    ...(content === "" && signature !== undefined && { redacted: true }),
  };
}

function argumentsOf(text: unknown): unknown {
  if (typeof text !== "string" || isTooHeavy(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toolUse(item: JsonObject, name: string | undefined, input: unknown): EventBody {
  return { type: "tool_use", call: callOf(item), name: name ?? "unknown", input };
}

function toolResult(item: JsonObject, content: Parameters<typeof contentOf>[0]): EventBody {
  return { type: "tool_result", call: callOf(item), content: contentOf(content) };
}

/** The id that pairs a call with its output; calls the server ran itself have only their own. */
export function callOf(item: JsonObject): string {
  return asString(item["call_id"]) ?? asString(item["id"]) ?? "";
}

function outputBodies(item: JsonObject): readonly EventBody[] {
  const call = callOf(item);
  const name = asString(item["name"]);
  const result: EventBody = {
    type: "tool_result",
    call,
    ...(name !== undefined && { name }),
    ...toolOutput(item),
  };
  const child = spawnedThread(item);
  return child === undefined ? [result] : [result, { type: "subagent", ...child, call }];
}

function imageBodies(item: JsonObject): readonly EventBody[] {
  const data = asString(item["result"]);
  const use = toolUse(item, "image_generation", { prompt: item["revised_prompt"] });
  if (data === undefined || data === "") return [use, toolResult(item, "")];
  const result: EventBody = {
    type: "tool_result",
    call: callOf(item),
    content: [{ type: "image", mediaType: "image/png", source: { kind: "base64", data } }],
  };
  return [use, result];
}
