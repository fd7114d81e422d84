import { asNumber, asString, isObject, type JsonObject } from "../../base/json.ts";
import type { Usage } from "../../model/usage.ts";
import { toAnthropic } from "../../providers/anthropic.ts";
import { countsIn } from "../../providers/counts.ts";
import { inputOf } from "../../providers/openai-responses.ts";
import type { Model, ModelPart } from "../model.ts";
import { type Endpoint, modelAt } from "./endpoint.ts";
import { failure } from "./post.ts";

/** A model behind Anthropic's Messages API. */
export function anthropic(endpoint: Endpoint): Model {
  return modelAt(endpoint, {
    address: "https://api.anthropic.com",
    path: () => "/v1/messages",
    key: (apiKey) => ({ "x-api-key": apiKey }),
    headers: { "anthropic-version": "2023-06-01" },
    body: (conversation, options) => ({ ...toAnthropic(conversation, options), stream: true }),
    parts,
  });
}

/** A block while it comes in. */
interface Block {
  readonly start: JsonObject;
  json: string;
  signature: string;
}

async function* parts(events: AsyncIterable<JsonObject>): AsyncGenerator<ModelPart> {
  const blocks = new Map<number, Block>();
  let usage: Usage = {};
  let stopReason: string | undefined;
  for await (const event of events) {
    const index = asNumber(event["index"]) ?? 0;
    switch (event["type"]) {
      case "message_start":
        if (isObject(event["message"])) usage = { ...usage, ...counted(event["message"]) };
        break;
      case "content_block_start": {
        const start = isObject(event["content_block"]) ? event["content_block"] : {};
        blocks.set(index, { start, json: "", signature: "" });
        const text = asString(start["text"]) ?? "";
        if (text !== "") yield { type: "text", text };
        break;
      }
      case "content_block_delta":
        yield* deltaParts(event["delta"], blocks.get(index));
        break;
      case "content_block_stop":
        yield* endParts(blocks.get(index));
        blocks.delete(index);
        break;
      case "message_delta":
        usage = { ...usage, ...counted(event) };
        if (isObject(event["delta"])) stopReason = asString(event["delta"]["stop_reason"]);
        break;
      case "error":
        throw failure(saidIn(event["error"]));
      default:
    }
  }
  if (stopReason !== undefined) yield { type: "end", stopReason, usage };
}

function* deltaParts(delta: unknown, block: Block | undefined): Generator<ModelPart> {
  if (!isObject(delta) || block === undefined) return;
  switch (delta["type"]) {
    case "text_delta":
      yield { type: "text", text: asString(delta["text"]) ?? "" };
      break;
    case "thinking_delta":
      yield { type: "thinking", text: asString(delta["thinking"]) ?? "" };
      break;
    case "signature_delta":
      block.signature += asString(delta["signature"]) ?? "";
      break;
    case "input_json_delta":
      block.json += asString(delta["partial_json"]) ?? "";
      break;
    default:
  }
}

function* endParts(block: Block | undefined): Generator<ModelPart> {
  if (block === undefined) return;
  const { start, json, signature } = block;
  switch (start["type"]) {
    case "thinking":
      if (signature !== "") yield { type: "thinking", text: "", signature };
      break;
    case "redacted_thinking":
      yield { type: "thinking", text: "", signature: asString(start["data"]), redacted: true };
      break;
    case "tool_use": {
      const input = json === "" ? (start["input"] ?? {}) : inputOf(json);
      const call = asString(start["id"]) ?? "";
      yield { type: "call", call, name: asString(start["name"]) ?? "", input };
      break;
    }
    default:
  }
}

function counted(holder: JsonObject): Usage {
  return (
    countsIn(holder["usage"], {
      input: "input_tokens",
      output: "output_tokens",
      cacheRead: "cache_read_input_tokens",
      cacheWrite: "cache_creation_input_tokens",
    }) ?? {}
  );
}

function saidIn(error: unknown): string {
  const message = isObject(error) ? asString(error["message"]) : undefined;
  return `The model's server ended the answer: ${message ?? "no reason given"}.`;
}
