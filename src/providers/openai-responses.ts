import { asArray, asString, isObject, type JsonObject, parseObject } from "../base/json.ts";
import type { GivenBlock } from "../context/messages.ts";
import type { EventBody } from "../model/event.ts";
import { attachmentOf, dataUrl, mention } from "./attachment.ts";
import { countsIn, withoutCached } from "./counts.ts";
import { type Conversation, type RequestOptions, schemaOf } from "./request.ts";
import { response } from "./response.ts";
import { type Answer, type SpokenBlock, type Step, stepsOf, systemText } from "./steps.ts";

/** A body for OpenAI's Responses API. Nothing is stored there: what it needs again is in the next request. */
export interface ResponsesRequest {
  model: string;
  instructions?: string;
  input: ResponsesItem[];
  tools?: ResponsesTool[];
  max_output_tokens?: number;
  store: false;
  include: "reasoning.encrypted_content"[];
}

/** A tool as the API describes one. */
export interface ResponsesTool {
  type: "function";
  name: string;
  description?: string;
  parameters: Record<string, unknown>;
  strict: false;
}

/** A part of what a person or a tool gave. */
export type ResponsesGiven =
  | { type: "input_text"; text: string }
  | { type: "input_image"; image_url: string; detail: "auto" }
  | { type: "input_file"; filename: string; file_data: string }
  | { type: "input_file"; file_url: string };

/** An item of the input, in the order it happened. */
export type ResponsesItem =
  | { type: "message"; role: "user"; content: ResponsesGiven[] }
  | { type: "message"; role: "assistant"; content: { type: "output_text"; text: string }[] }
  | {
      type: "reasoning";
      summary: { type: "summary_text"; text: string }[];
      encrypted_content: string;
    }
  | { type: "function_call"; call_id: string; name: string; arguments: string }
  | { type: "function_call_output"; call_id: string; output: string | ResponsesGiven[] };

/** The request that continues a conversation. */
export function toResponses(context: Conversation, options: RequestOptions): ResponsesRequest {
  const instructions = systemText(context);
  return {
    model: options.model,
    ...(instructions !== undefined && { instructions }),
    input: stepsOf(context, options).flatMap(itemsOf),
    ...(options.tools !== undefined && { tools: options.tools.map(toolOf) }),
    ...(options.maxTokens !== undefined && { max_output_tokens: options.maxTokens }),
    store: false,
    include: ["reasoning.encrypted_content"],
  };
}

/** What a response says, as events in its order. */
export function fromResponses(answer: unknown): readonly EventBody[] {
  const { id, model, output, status, usage } = isObject(answer) ? answer : ({} as JsonObject);
  const said = response({ message: asString(id), model: asString(model) });
  for (const item of asArray(output).filter(isObject)) {
    switch (item["type"]) {
      case "message":
        for (const part of asArray(item["content"]).filter(isObject)) {
          const text = asString(part["text"]) ?? asString(part["refusal"]);
          if (text === undefined) said.opaque("openai-responses", part);
          else said.text(text);
        }
        break;
      case "reasoning":
        said.thinking(summaryOf(item), asString(item["encrypted_content"]));
        break;
      case "function_call": {
        const { call_id, name, arguments: given } = item;
        said.call(asString(call_id) ?? "", asString(name) ?? "", inputOf(given));
        break;
      }
      default:
        said.opaque("openai-responses", item);
    }
  }
  return said.end({
    usage: withoutCached(
      countsIn(usage, {
        input: "input_tokens",
        output: "output_tokens",
        cacheRead: "input_tokens_details.cached_tokens",
        reasoning: "output_tokens_details.reasoning_tokens",
      }),
    ),
    stopReason: asString(status),
    endsTurn: (reason) => reason !== "in_progress" && reason !== "queued",
  });
}

/** The input of a call, which APIs of OpenAI give as text; what is not JSON is kept as it is. */
export function inputOf(text: unknown): unknown {
  const given = asString(text) ?? "";
  return given === "" ? {} : (parseObject(given) ?? { input: given });
}

function summaryOf(item: JsonObject): string {
  return asArray(item["summary"])
    .filter(isObject)
    .map((part) => asString(part["text"]) ?? "")
    .filter(Boolean)
    .join("\n\n");
}

function itemsOf(step: Step): ResponsesItem[] {
  switch (step.role) {
    case "user":
      return [{ type: "message", role: "user", content: step.content.map(given) }];
    case "assistant":
      return step.content.map(spoken);
    case "tool":
      return step.answers.map(output);
  }
}

function spoken(block: SpokenBlock): ResponsesItem {
  switch (block.type) {
    case "tool_use":
      return {
        type: "function_call",
        call_id: block.call,
        name: block.name,
        arguments: JSON.stringify(block.input),
      };
    case "thinking": {
      const summary =
        block.text === "" ? [] : [{ type: "summary_text" as const, text: block.text }];
      return { type: "reasoning", summary, encrypted_content: block.signature ?? "" };
    }
    default: {
      const text = block.type === "text" ? block.text : mention(block);
      return { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
    }
  }
}

/** A text alone is a string; the API has no sign for an error, so its text says it. */
function output({ call, content, isError }: Answer): ResponsesItem {
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const isText = texts.length === content.length;
  const text = isError === true && texts.length === 0 ? "Error" : texts.join("\n");
  return {
    type: "function_call_output",
    call_id: call,
    output: isText ? text : content.map(given),
  };
}

function given(block: GivenBlock): ResponsesGiven {
  if (block.type === "text") return { type: "input_text", text: block.text };
  const found = attachmentOf(block);
  if (found === undefined) return { type: "input_text", text: mention(block) };
  const url = found.kind === "url" ? found.url : dataUrl(found);
  if (block.type === "image") return { type: "input_image", image_url: url, detail: "auto" };
  if (found.kind === "url") return { type: "input_file", file_url: url };
  return { type: "input_file", filename: found.name, file_data: url };
}

function toolOf(tool: NonNullable<RequestOptions["tools"]>[number]): ResponsesTool {
  const { name, description } = tool;
  const about = description === undefined ? {} : { description };
  return { type: "function", name, ...about, parameters: schemaOf(tool), strict: false };
}
