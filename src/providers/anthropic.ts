import { asArray, asString, isObject, type JsonObject } from "../base/json.ts";
import type { GivenBlock } from "../context/messages.ts";
import type { EventBody } from "../model/event.ts";
import { attachmentOf, mention } from "./attachment.ts";
import { countsIn } from "./counts.ts";
import { type Conversation, opening, type RequestOptions, schemaOf } from "./request.ts";
import { response } from "./response.ts";
import { type SpokenBlock, type Step, stepsOf, systemText } from "./steps.ts";

/** A body for Anthropic's Messages API. */
export interface AnthropicRequest {
  model: string;
  max_tokens: number;
  system?: string;
  messages: AnthropicMessage[];
  tools?: AnthropicTool[];
}

/** A message of it; the roles take turns, and results stand in the user's. */
export interface AnthropicMessage {
  role: "user" | "assistant";
  content: AnthropicBlock[];
}

/** A tool as the API describes one. */
export interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: { type: "object"; [key: string]: unknown };
}

/** The kinds of images the API takes. */
export type AnthropicImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";
/** What a user message or a result may hold. */
export type AnthropicGiven =
  | { type: "text"; text: string }
  | {
      type: "image";
      source:
        | { type: "base64"; media_type: AnthropicImageType; data: string }
        | { type: "url"; url: string };
    }
  | {
      type: "document";
      title?: string;
      source:
        | { type: "base64"; media_type: "application/pdf"; data: string }
        | { type: "text"; media_type: "text/plain"; data: string }
        | { type: "url"; url: string };
    };

/** A block of a message. */
export type AnthropicBlock =
  | AnthropicGiven
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }
  | { type: "tool_use"; id: string; name: string; input: object }
  | { type: "tool_result"; tool_use_id: string; content: AnthropicGiven[]; is_error?: boolean };

const defaultMaxTokens = 8192;
const imageTypes: ReadonlySet<string> = new Set([
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
]);

/** The request that continues a conversation. */
export function toAnthropic(context: Conversation, options: RequestOptions): AnthropicRequest {
  const system = systemText(context);
  const messages: AnthropicMessage[] = [];
  for (const step of stepsOf(context, options)) add(messages, messageOf(step));
  if (messages[0]?.role !== "user") {
    messages.unshift({ role: "user", content: [{ type: "text", text: opening }] });
  }
  return {
    model: options.model,
    max_tokens: options.maxTokens ?? defaultMaxTokens,
    ...(system !== undefined && { system }),
    messages,
    ...(options.tools !== undefined && { tools: options.tools.map(toolOf) }),
  };
}

/** What a response says, as events in its order. */
export function fromAnthropic(message: unknown): readonly EventBody[] {
  const { id, model, content, stop_reason, usage } = isObject(message)
    ? message
    : ({} as JsonObject);
  const said = response({ message: asString(id), model: asString(model) });
  for (const block of asArray(content).filter(isObject)) {
    switch (block["type"]) {
      case "text":
        said.text(asString(block["text"]) ?? "");
        break;
      case "thinking":
        said.thinking(asString(block["thinking"]) ?? "", asString(block["signature"]));
        break;
      case "redacted_thinking":
        said.redacted(asString(block["data"]));
        break;
      case "tool_use":
        said.call(asString(block["id"]) ?? "", asString(block["name"]) ?? "", block["input"]);
        break;
      default:
        said.opaque("anthropic", block);
    }
  }
  return said.end({
    usage: countsIn(usage, {
      input: "input_tokens",
      output: "output_tokens",
      cacheRead: "cache_read_input_tokens",
      cacheWrite: "cache_creation_input_tokens",
    }),
    stopReason: asString(stop_reason),
    endsTurn: (reason) => reason !== "tool_use" && reason !== "pause_turn",
  });
}

function messageOf(step: Step): AnthropicMessage {
  switch (step.role) {
    case "user":
      return { role: "user", content: step.content.map(given) };
    case "assistant":
      return { role: "assistant", content: step.content.map(spoken) };
    case "tool":
      return {
        role: "user",
        content: step.answers.map(({ call, content, isError }) => ({
          type: "tool_result",
          tool_use_id: call,
          content: content.map(given),
          ...(isError === true && { is_error: true }),
        })),
      };
  }
}

/** What a person says right after results belongs into the same message. */
function add(messages: AnthropicMessage[], message: AnthropicMessage): void {
  const last = messages.at(-1);
  if (last?.role === message.role) last.content.push(...message.content);
  else messages.push(message);
}

function spoken(block: SpokenBlock): AnthropicBlock {
  switch (block.type) {
    case "tool_use":
      return { type: "tool_use", id: block.call, name: block.name, input: block.input };
    case "thinking": {
      const signature = block.signature ?? "";
      if (block.redacted === true) return { type: "redacted_thinking", data: signature };
      return { type: "thinking", thinking: block.text, signature };
    }
    case "text":
      return { type: "text", text: block.text };
    default:
      // A model's message takes no attachments.
      return { type: "text", text: mention(block) };
  }
}

function given(block: GivenBlock): AnthropicGiven {
  if (block.type === "text") return { type: "text", text: block.text };
  const found = attachmentOf(block);
  if (found === undefined) return { type: "text", text: mention(block) };
  if (block.type === "image") {
    if (found.kind === "url") return { type: "image", source: { type: "url", url: found.url } };
    if (imageTypes.has(found.mediaType)) {
      const media_type = found.mediaType as AnthropicImageType;
      return { type: "image", source: { type: "base64", media_type, data: found.data } };
    }
    return { type: "text", text: mention(block) };
  }
  const title = block.name === undefined ? {} : { title: block.name };
  if (found.kind === "url")
    return { type: "document", ...title, source: { type: "url", url: found.url } };
  if (found.mediaType === "application/pdf") {
    const source = { type: "base64", media_type: "application/pdf", data: found.data } as const;
    return { type: "document", ...title, source };
  }
  if (!found.mediaType.startsWith("text/")) return { type: "text", text: mention(block) };
  const data = Buffer.from(found.data, "base64").toString("utf8");
  return { type: "document", ...title, source: { type: "text", media_type: "text/plain", data } };
}

function toolOf(tool: NonNullable<RequestOptions["tools"]>[number]): AnthropicTool {
  const { name, description } = tool;
  const input_schema = { ...schemaOf(tool), type: "object" as const };
  return { name, ...(description !== undefined && { description }), input_schema };
}
