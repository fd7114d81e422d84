import { asArray, asString, isObject, type JsonObject } from "../base/json.ts";
import type { GivenBlock } from "../context/messages.ts";
import type { EventBody } from "../model/event.ts";
import { attachmentOf, mention } from "./attachment.ts";
import { countsIn, withoutCached } from "./counts.ts";
import type { Conversation, RequestOptions } from "./request.ts";
import { response } from "./response.ts";
import { type Answer, type SpokenBlock, type Step, stepsOf, systemText } from "./steps.ts";

/** A part of what a person gave, as the AI SDK has it. */
export type AiGiven =
  | { type: "text"; text: string }
  | { type: "image"; image: string | URL; mediaType?: string }
  | { type: "file"; data: string | URL; mediaType: string; filename?: string };

/** A part of what a model said. */
export type AiSpoken =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string; providerOptions?: Record<string, Record<string, string>> }
  | { type: "tool-call"; toolCallId: string; toolName: string; input: unknown };

/** A part of a result that is more than one text. */
export type AiResultPart =
  | { type: "text"; text: string }
  | { type: "file-data"; data: string; mediaType: string }
  | { type: "file-url"; url: string };

/** What a call gave back. */
export interface AiResult {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output:
    | { type: "text"; value: string }
    | { type: "error-text"; value: string }
    | { type: "content"; value: AiResultPart[] };
}

/** A message of the AI SDK, assignable to its `ModelMessage`. */
export type AiMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: AiGiven[] }
  | { role: "assistant"; content: AiSpoken[] }
  | { role: "tool"; content: AiResult[] };

/** The messages that continue a conversation. Thinking carries its signature where Anthropic's provider looks for it. */
export function toAiSdk(
  context: Conversation,
  options: Pick<RequestOptions, "model">,
): AiMessage[] {
  const system = systemText(context);
  const messages = stepsOf(context, options).map(messageOf);
  return system === undefined ? messages : [{ role: "system", content: system }, ...messages];
}

/** What a generation says, as events: its `content`, `usage`, `finishReason` and `response`. */
export function fromAiSdk(result: unknown): readonly EventBody[] {
  const given = isObject(result) ? result : ({} as JsonObject);
  const about = isObject(given["response"]) ? given["response"] : {};
  const said = response({ message: asString(about["id"]), model: asString(about["modelId"]) });
  for (const part of asArray(given["content"]).filter(isObject)) {
    switch (part["type"]) {
      case "text":
        said.text(asString(part["text"]) ?? "");
        break;
      case "reasoning":
        said.thinking(asString(part["text"]) ?? "", signatureIn(part["providerMetadata"]));
        break;
      case "tool-call": {
        const { toolCallId, toolName, input } = part;
        said.call(asString(toolCallId) ?? "", asString(toolName) ?? "", input);
        break;
      }
      case "tool-result":
      case "tool-error":
        // Tools answer in events of their own.
        break;
      default:
        said.opaque("ai-sdk", part);
    }
  }
  return said.end({
    usage: withoutCached(
      countsIn(given["usage"], {
        input: "inputTokens",
        output: "outputTokens",
        cacheRead: "cachedInputTokens",
        reasoning: "reasoningTokens",
      }),
    ),
    stopReason: asString(given["finishReason"]),
    endsTurn: (reason) => reason !== "tool-calls",
  });
}

function messageOf(step: Step): AiMessage {
  switch (step.role) {
    case "user":
      return { role: "user", content: step.content.map(givenPart) };
    case "assistant":
      return { role: "assistant", content: step.content.map(spoken) };
    case "tool":
      return { role: "tool", content: step.answers.map(resultOf) };
  }
}

function spoken(block: SpokenBlock): AiSpoken {
  switch (block.type) {
    case "tool_use":
      return {
        type: "tool-call",
        toolCallId: block.call,
        toolName: block.name,
        input: block.input,
      };
    case "thinking": {
      const { signature = "" } = block;
      const proof: Record<string, string> =
        block.redacted === true ? { redactedData: signature } : { signature };
      return { type: "reasoning", text: block.text, providerOptions: { anthropic: proof } };
    }
    case "text":
      return { type: "text", text: block.text };
    default:
      return { type: "text", text: mention(block) };
  }
}

function resultOf({ call, name, content, isError }: Answer): AiResult {
  const shared = { type: "tool-result", toolCallId: call, toolName: name } as const;
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  if (isError === true)
    return { ...shared, output: { type: "error-text", value: texts.join("\n") } };
  if (texts.length === content.length)
    return { ...shared, output: { type: "text", value: texts.join("\n") } };
  return { ...shared, output: { type: "content", value: content.map(resultPart) } };
}

function resultPart(block: GivenBlock): AiResultPart {
  if (block.type === "text") return { type: "text", text: block.text };
  const found = attachmentOf(block);
  if (found === undefined) return { type: "text", text: mention(block) };
  if (found.kind === "url") return { type: "file-url", url: found.url };
  return { type: "file-data", data: found.data, mediaType: found.mediaType };
}

function givenPart(block: GivenBlock): AiGiven {
  if (block.type === "text") return { type: "text", text: block.text };
  const found = attachmentOf(block);
  if (found === undefined) return { type: "text", text: mention(block) };
  const data = found.kind === "url" ? urlOf(found.url) : found.data;
  if (data === undefined) return { type: "text", text: mention(block) };
  const { mediaType } = found;
  if (block.type === "image")
    return { type: "image", image: data, ...(mediaType !== undefined && { mediaType }) };
  const filename = block.name === undefined ? {} : { filename: block.name };
  return { type: "file", data, mediaType: mediaType ?? "application/octet-stream", ...filename };
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function signatureIn(metadata: unknown): string | undefined {
  const anthropic = isObject(metadata) ? metadata["anthropic"] : undefined;
  return isObject(anthropic) ? asString(anthropic["signature"]) : undefined;
}
