import { asArray, asString, isObject, type JsonObject } from "../base/json.ts";
import type { GivenBlock } from "../context/messages.ts";
import type { EventBody } from "../model/event.ts";
import { attachmentOf, mention } from "./attachment.ts";
import { countsIn, withoutCached } from "./counts.ts";
import { type Conversation, opening, type RequestOptions, schemaOf } from "./request.ts";
import { response } from "./response.ts";
import { type Answer, type SpokenBlock, type Step, stepsOf, systemText } from "./steps.ts";

/** A body for Gemini's generateContent; the model stands in the address. */
export interface GeminiRequest {
  systemInstruction?: { parts: { text: string }[] };
  contents: GeminiContent[];
  tools?: { functionDeclarations: GeminiTool[] }[];
  generationConfig?: { maxOutputTokens: number };
}

/** A tool as the API describes one. */
export interface GeminiTool {
  name: string;
  description?: string;
  parametersJsonSchema: Record<string, unknown>;
}

/** A turn of the conversation; the roles take turns. */
export interface GeminiContent {
  role: "user" | "model";
  parts: GeminiPart[];
}

/** A part of a turn. */
export interface GeminiPart {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  inlineData?: { mimeType: string; data: string };
  fileData?: { mimeType?: string; fileUri: string };
  functionCall?: { id: string; name: string; args: Record<string, unknown> };
  functionResponse?: { id: string; name: string; response: Record<string, unknown> };
}

/** What Google documents for calls that another model made: newer models refuse calls without any signature. */
const foreignSignature = "skip_thought_signature_validator";

/** The request that continues a conversation. */
export function toGemini(context: Conversation, options: RequestOptions): GeminiRequest {
  const system = systemText(context);
  const contents: GeminiContent[] = [];
  for (const step of stepsOf(context, options)) add(contents, contentOf(step, options.model));
  if (contents[0]?.role !== "user") contents.unshift({ role: "user", parts: [{ text: opening }] });
  const { tools, maxTokens } = options;
  return {
    ...(system !== undefined && { systemInstruction: { parts: [{ text: system }] } }),
    contents,
    ...(tools !== undefined && { tools: [{ functionDeclarations: tools.map(toolOf) }] }),
    ...(maxTokens !== undefined && { generationConfig: { maxOutputTokens: maxTokens } }),
  };
}

/** What a response says, as events in its order. Calls get ids where the API gave none. */
export function fromGemini(answer: unknown): readonly EventBody[] {
  const { responseId, modelVersion, candidates, usageMetadata } = isObject(answer)
    ? answer
    : ({} as JsonObject);
  const [candidate] = asArray(candidates).filter(isObject);
  const content = isObject(candidate?.["content"]) ? candidate["content"] : {};
  const message = asString(responseId);
  const said = response({ message, model: asString(modelVersion) });
  for (const [index, part] of asArray(content["parts"]).filter(isObject).entries()) {
    const signature = asString(part["thoughtSignature"]);
    const text = asString(part["text"]);
    const call = part["functionCall"];
    const isThought = part["thought"] === true;
    // The signature of a part that is not a thinking stands before it, as thinking without words.
    said.thinking(isThought ? (text ?? "") : "", signature);
    if (isThought) continue;
    if (isObject(call)) {
      const id = asString(call["id"]) ?? `${message ?? "call"}_${index + 1}`;
      said.call(id, asString(call["name"]) ?? "", call["args"]);
    } else if (text === undefined) said.opaque("gemini", part);
    else said.text(text);
  }
  return said.end({
    usage: withoutCached(
      countsIn(usageMetadata, {
        input: "promptTokenCount",
        output: "candidatesTokenCount",
        cacheRead: "cachedContentTokenCount",
        reasoning: "thoughtsTokenCount",
      }),
    ),
    stopReason: asString(candidate?.["finishReason"]),
    endsTurn: () => true,
  });
}

function contentOf(step: Step, model: string): GeminiContent {
  switch (step.role) {
    case "user":
      return { role: "user", parts: step.content.map(given) };
    case "assistant":
      return { role: "model", parts: spokenParts(step.content, model) };
    case "tool":
      return { role: "user", parts: step.answers.flatMap(answerParts) };
  }
}

/** Results come first in a turn, before what a person says after them. */
function add(contents: GeminiContent[], content: GeminiContent): void {
  const last = contents.at(-1);
  if (last?.role === content.role) last.parts.push(...content.parts);
  else contents.push(content);
}

function spokenParts(content: readonly SpokenBlock[], model: string): GeminiPart[] {
  const parts: GeminiPart[] = [];
  let signature: string | undefined;
  for (const block of content) {
    if (block.type === "thinking" && block.text === "") {
      ({ signature } = block);
      continue;
    }
    const part = spoken(block);
    parts.push(signature === undefined ? part : { ...part, thoughtSignature: signature });
    signature = undefined;
  }
  // Of several calls at once the first one carries the signature.
  const first = parts.find(({ functionCall }) => functionCall !== undefined);
  if (
    first !== undefined &&
    first.thoughtSignature === undefined &&
    /gemini-(?:[3-9]|\d\d)/.test(model)
  ) {
    first.thoughtSignature = foreignSignature;
  }
  return parts;
}

function spoken(block: SpokenBlock): GeminiPart {
  switch (block.type) {
    case "tool_use": {
      const args = block.input as Record<string, unknown>;
      return { functionCall: { id: block.call, name: block.name, args } };
    }
    case "thinking":
      return {
        text: block.text,
        thought: true,
        ...(block.signature !== undefined && { thoughtSignature: block.signature }),
      };
    default:
      return given(block);
  }
}

/** A result is an object; what else it holds stands beside it. */
function answerParts({ call, name, content, isError }: Answer): GeminiPart[] {
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const text = texts.join("\n");
  const answer = {
    id: call,
    name,
    response: isError === true ? { error: text } : { output: text },
  };
  const others = content.filter(({ type }) => type !== "text").map(given);
  return [{ functionResponse: answer }, ...others];
}

function given(block: GivenBlock): GeminiPart {
  if (block.type === "text") return { text: block.text };
  const found = attachmentOf(block);
  if (found === undefined) return { text: mention(block) };
  if (found.kind === "base64")
    return { inlineData: { mimeType: found.mediaType, data: found.data } };
  const { mediaType, url } = found;
  return { fileData: { ...(mediaType !== undefined && { mimeType: mediaType }), fileUri: url } };
}

function toolOf(tool: NonNullable<RequestOptions["tools"]>[number]): GeminiTool {
  const { name, description } = tool;
  const about = description === undefined ? {} : { description };
  return { name, ...about, parametersJsonSchema: schemaOf(tool) };
}
