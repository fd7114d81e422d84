import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { type Block, type Content, contentOfBlocks, textBlock } from "../../../model/block.ts";
import type { EventBody } from "../../../model/event.ts";
import { agentName } from "../name.ts";
import { typedText } from "../typed-text.ts";

/** What a call without an id is known by: the place of its message, and its own in it. */
type CallName = (index: number) => string;

/**
 * What a message of the command line says: blocks with roles, as its stores and its transcripts have them. Transcripts
 * hold no ids of calls: the message's place, which also joins what a model said at once, stands for them.
 */
export function bodiesOf(message: JsonObject, place: string): readonly EventBody[] {
  const nameOf: CallName = (index) => `${place}-${index + 1}`;
  const { role, content } = message;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : asArray(content);
  switch (role) {
    case "system":
      return [{ type: "system", content: contentOfBlocks(blocks.map(blockOf)) }];
    case "user":
      return [...userBodies(blocks), ...resultBodies(blocks)];
    case "tool":
      return toolBodies(message, blocks);
    default:
      return [...assistantBodies(blocks, nameOf), ...openAiCalls(message, nameOf)].map((body) => ({
        ...body,
        message: place,
      }));
  }
}

function userBodies(blocks: readonly unknown[]): readonly EventBody[] {
  const around: string[] = [];
  const typed: Block[] = [];
  for (const block of blocks) {
    if (isObject(block) && block["type"] === "tool_result") continue;
    const found = blockOf(block);
    if (found.type !== "text") {
      typed.push(found);
      continue;
    }
    const parts = typedText(found.text);
    if (parts.around !== "") around.push(parts.around);
    if (parts.typed !== "") typed.push(textBlock(parts.typed));
  }
  const injected: EventBody[] = around.map((content) => ({
    type: "user",
    content,
    injected: true,
  }));
  return typed.length === 0
    ? injected
    : [...injected, { type: "user", content: contentOfBlocks(typed) }];
}

function assistantBodies(blocks: readonly unknown[], nameOf: CallName): readonly EventBody[] {
  return blocks.map((block, index): EventBody => {
    if (!isObject(block)) return { type: "assistant", content: [blockOf(block)] };
    switch (block["type"]) {
      case "reasoning":
      case "thinking":
        return {
          type: "thinking",
          content: asString(block["text"]) ?? asString(block["thinking"]) ?? "",
        };
      case "redacted-reasoning":
        return {
          type: "thinking",
          content: "",
          redacted: true,
          signature: asString(block["data"]) ?? "",
        };
      case "tool-call":
      case "tool_use":
        return {
          type: "tool_use",
          call: asString(block["toolCallId"]) ?? asString(block["id"]) ?? nameOf(index),
          name: asString(block["toolName"]) ?? asString(block["name"]) ?? "tool",
          input: block["args"] ?? block["input"] ?? {},
        };
      default:
        return { type: "assistant", content: contentOfBlocks([blockOf(block)]) };
    }
  });
}

function openAiCalls(message: JsonObject, nameOf: CallName): readonly EventBody[] {
  return asArray(message["tool_calls"]).flatMap((call, index): readonly EventBody[] => {
    if (!isObject(call) || !isObject(call["function"])) return [];
    const name = asString(call["function"]["name"]) ?? "tool";
    const given = call["function"]["arguments"];
    return [
      { type: "tool_use", call: asString(call["id"]) ?? nameOf(index), name, input: json(given) },
    ];
  });
}

function toolBodies(message: JsonObject, blocks: readonly unknown[]): readonly EventBody[] {
  const found = resultBodies(blocks);
  if (found.length > 0) return found;
  const call = asString(message["tool_call_id"]) ?? asString(message["id"]) ?? "";
  return [{ type: "tool_result", call, content: contentOfBlocks(blocks.map(blockOf)) }];
}

function resultBodies(blocks: readonly unknown[]): readonly EventBody[] {
  return blocks.flatMap((block): readonly EventBody[] => {
    if (!isObject(block)) return [];
    if (block["type"] !== "tool-result" && block["type"] !== "tool_result") return [];
    const call = asString(block["toolCallId"]) ?? asString(block["tool_use_id"]) ?? "";
    const name = asString(block["toolName"]);
    const isError = block["isError"] === true || block["is_error"] === true;
    const content = resultContent(block["result"] ?? block["output"] ?? block["content"]);
    return [
      {
        ...{ type: "tool_result", call, content },
        ...(name !== undefined && { name }),
        ...(isError && { isError }),
      },
    ];
  });
}

function resultContent(result: unknown): Content {
  if (result === undefined) return "";
  if (Array.isArray(result)) return contentOfBlocks(result.map(blockOf));
  const value = isObject(result) && "value" in result ? result["value"] : result;
  return asString(value) ?? JSON.stringify(value) ?? "";
}

function blockOf(block: unknown): Block {
  const text = isObject(block) && block["type"] === "text" ? asString(block["text"]) : undefined;
  if (text !== undefined) return { type: "text", text };
  if (isObject(block) && block["type"] === "image") {
    const data = asString(block["image"]) ?? asString(block["data"]);
    const mediaType = asString(block["mediaType"]) ?? asString(block["mimeType"]) ?? "image/png";
    if (data !== undefined) return { type: "image", mediaType, source: { kind: "base64", data } };
  }
  return { type: "opaque", from: agentName, value: block };
}

function json(text: unknown): unknown {
  if (typeof text !== "string") return text ?? {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
