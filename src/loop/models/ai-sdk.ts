import { asString, isObject, type JsonObject } from "../../base/json.ts";
import type { Usage } from "../../model/usage.ts";
import { type AiGiven, type AiMessage, toAiSdk } from "../../providers/ai-sdk.ts";
import { countsIn, withoutCached } from "../../providers/counts.ts";
import { inputOf } from "../../providers/openai-responses.ts";
import type { Model, ModelPart, ModelRequest } from "../model.ts";
import { failure } from "./post.ts";

/**
 * A language model object of the AI SDK (specification v2 or v3), as its provider packages make them. It is asked directly:
 * neither the SDK nor a hosted gateway comes between.
 */
export interface AiSdkModel {
  readonly specificationVersion: string;
  readonly modelId: string;
  readonly provider: string;
  doStream(options: object): PromiseLike<{ readonly stream: object }>;
}

/** Whether a model is one of the AI SDK's. */
export function isAiSdkModel(model: Model | AiSdkModel): model is AiSdkModel {
  return typeof (model as Partial<AiSdkModel>).doStream === "function";
}

/** A model of the AI SDK as the loop asks it. */
export function aiSdk(
  model: AiSdkModel,
  options: { readonly windowTokens?: number | undefined } = {},
): Model {
  const { windowTokens } = options;
  return {
    id: model.modelId,
    ...(windowTokens !== undefined && { windowTokens }),
    stream: (request) => partsOf(model, request),
  };
}

async function* partsOf(
  model: AiSdkModel,
  { messages, tools, maxTokens, signal }: ModelRequest,
): AsyncGenerator<ModelPart> {
  const { stream } = await model.doStream({
    prompt: toAiSdk({ messages }, { model: model.modelId }).map(promptMessage),
    ...(tools.length > 0 && { tools: tools.map(functionTool), toolChoice: { type: "auto" } }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    abortSignal: signal,
  });
  for await (const part of stream as AsyncIterable<unknown>)
    if (isObject(part)) yield* piecesOf(part);
}

function* piecesOf(part: JsonObject): Generator<ModelPart> {
  switch (part["type"]) {
    case "text-delta":
      yield { type: "text", text: asString(part["delta"]) ?? "" };
      return;
    case "reasoning-start":
    case "reasoning-delta":
    case "reasoning-end":
      yield* thinkingParts(part);
      return;
    case "tool-call":
      // What a provider runs itself is not a call for us.
      if (part["providerExecuted"] === true) return;
      yield {
        type: "call",
        call: asString(part["toolCallId"]) ?? "",
        name: asString(part["toolName"]) ?? "",
        input: inputOf(part["input"]),
      };
      return;
    case "error":
      throw part["error"] instanceof Error
        ? failure(part["error"].message, part["error"])
        : failure("The model's server ended the answer.", part["error"]);
    case "finish":
      yield { type: "end", stopReason: reasonOf(part["finishReason"]), usage: usageOf(part) };
      return;
    default:
  }
}

function* thinkingParts(part: JsonObject): Generator<ModelPart> {
  const metadata = isObject(part["providerMetadata"]) ? part["providerMetadata"] : {};
  const own = isObject(metadata["anthropic"]) ? metadata["anthropic"] : {};
  const redacted = asString(own["redactedData"]);
  const signature = redacted ?? asString(own["signature"]);
  const text = asString(part["delta"]) ?? "";
  if (text === "" && signature === undefined) return;
  yield { type: "thinking", text, signature, ...(redacted !== undefined && { redacted: true }) };
}

function reasonOf(reason: unknown): string | undefined {
  return isObject(reason) ? asString(reason["unified"]) : asString(reason);
}

/** Version 3 counts in groups, version 2 in plain fields. */
function usageOf({ usage }: JsonObject): Usage | undefined {
  const grouped = isObject(usage) && isObject(usage["inputTokens"]);
  if (!grouped)
    return withoutCached(
      countsIn(usage, {
        input: "inputTokens",
        output: "outputTokens",
        cacheRead: "cachedInputTokens",
        reasoning: "reasoningTokens",
      }),
    );
  const counts = countsIn(usage, {
    input: "inputTokens.noCache",
    output: "outputTokens.total",
    cacheRead: "inputTokens.cacheRead",
    cacheWrite: "inputTokens.cacheWrite",
    reasoning: "outputTokens.reasoning",
  });
  if (counts?.input !== undefined) return counts;
  return withoutCached({ ...counts, ...countsIn(usage, { input: "inputTokens.total" }) });
}

function functionTool({ name, description, parameters }: ModelRequest["tools"][number]): object {
  return { type: "function", name, description, inputSchema: parameters };
}

/** A prompt has files where messages have images. */
function promptMessage(message: AiMessage): object {
  if (message.role !== "user") return message;
  return { ...message, content: message.content.map(promptPart) };
}

function promptPart(part: AiGiven): object {
  if (part.type !== "image") return part;
  return { type: "file", data: part.image, mediaType: part.mediaType ?? "image/*" };
}
