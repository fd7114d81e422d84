import { asArray, asString, isObject, type JsonObject } from "../base/json.ts";
import type { GivenBlock } from "../context/messages.ts";
import type { EventBody } from "../model/event.ts";
import { attachmentOf, dataUrl, mention } from "./attachment.ts";
import { countsIn, withoutCached } from "./counts.ts";
import { inputOf } from "./openai-responses.ts";
import { type Conversation, type RequestOptions, schemaOf } from "./request.ts";
import { response } from "./response.ts";
import { type Answer, type SpokenBlock, type Step, stepsOf, systemText } from "./steps.ts";

/** A body for the Chat Completions API of OpenAI and of those who speak it. */
export interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  tools?: ChatTool[];
  max_completion_tokens?: number;
}

/** A tool as the API describes one. */
export interface ChatTool {
  type: "function";
  function: { name: string; description?: string; parameters: Record<string, unknown> };
}

/** A part of what a person gave. */
export type ChatGiven =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } }
  | { type: "file"; file: { filename: string; file_data: string } };

/** A call in an assistant's message. */
export interface ChatCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/** A message of it. */
export type ChatMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | ChatGiven[] }
  | { role: "assistant"; content: string | null; tool_calls?: ChatCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

/** The request that continues a conversation. The API has no place for thinking. */
export function toChat(context: Conversation, options: RequestOptions): ChatRequest {
  const system = systemText(context);
  const messages = stepsOf(context, options).flatMap(messagesOf);
  return {
    model: options.model,
    messages: system === undefined ? messages : [{ role: "system", content: system }, ...messages],
    ...(options.tools !== undefined && { tools: options.tools.map(toolOf) }),
    ...(options.maxTokens !== undefined && { max_completion_tokens: options.maxTokens }),
  };
}

/** What a completion says, as events in its order. */
export function fromChat(completion: unknown): readonly EventBody[] {
  const { id, model, choices, usage } = isObject(completion) ? completion : ({} as JsonObject);
  const [choice] = asArray(choices).filter(isObject);
  const message = isObject(choice?.["message"]) ? choice["message"] : {};
  const said = response({ message: asString(id), model: asString(model) });
  // Some who speak this API put the thinking beside the answer.
  said.thinking(
    asString(message["reasoning_content"]) ?? asString(message["reasoning"]) ?? "",
    undefined,
  );
  said.text(asString(message["content"]) ?? asString(message["refusal"]) ?? "");
  for (const call of asArray(message["tool_calls"]).filter(isObject)) {
    const made = isObject(call["function"]) ? call["function"] : {};
    said.call(asString(call["id"]) ?? "", asString(made["name"]) ?? "", inputOf(made["arguments"]));
  }
  return said.end({
    usage: withoutCached(
      countsIn(usage, {
        input: "prompt_tokens",
        output: "completion_tokens",
        cacheRead: "prompt_tokens_details.cached_tokens",
        reasoning: "completion_tokens_details.reasoning_tokens",
      }),
    ),
    stopReason: asString(choice?.["finish_reason"]),
    endsTurn: (reason) => reason !== "tool_calls" && reason !== "function_call",
  });
}

function messagesOf(step: Step): ChatMessage[] {
  switch (step.role) {
    case "user":
      return [{ role: "user", content: contentOf(step.content) }];
    case "assistant":
      return [assistantOf(step.content)];
    case "tool":
      return answersOf(step.answers);
  }
}

function assistantOf(content: readonly SpokenBlock[]): ChatMessage {
  const texts = content.flatMap((block) => {
    if (block.type === "text") return [block.text];
    return block.type === "image" || block.type === "file" ? [mention(block)] : [];
  });
  const calls = content.flatMap((block): ChatCall[] => {
    if (block.type !== "tool_use") return [];
    const made = { name: block.name, arguments: JSON.stringify(block.input) };
    return [{ id: block.call, type: "function", function: made }];
  });
  return {
    role: "assistant",
    content: texts.length === 0 ? null : texts.join("\n\n"),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** A result takes text only: what else it holds follows all results in a message of its own. */
function answersOf(answers: readonly Answer[]): ChatMessage[] {
  const others = answers.flatMap(({ content }) => content.filter(({ type }) => type !== "text"));
  const results = answers.map(({ call, content, isError }): ChatMessage => {
    const texts = content.map((block) => (block.type === "text" ? block.text : mention(block)));
    const text = texts.join("\n") || (isError === true ? "Error" : "(no output)");
    return { role: "tool", tool_call_id: call, content: text };
  });
  if (others.length === 0) return results;
  const about: GivenBlock = { type: "text", text: "Attached to the results above:" };
  return [...results, { role: "user", content: contentOf([about, ...others]) }];
}

function contentOf(content: readonly GivenBlock[]): string | ChatGiven[] {
  const [only] = content;
  return content.length === 1 && only?.type === "text" ? only.text : content.map(given);
}

function given(block: GivenBlock): ChatGiven {
  if (block.type === "text") return { type: "text", text: block.text };
  const found = attachmentOf(block);
  if (found === undefined) return { type: "text", text: mention(block) };
  if (block.type === "image") {
    const url = found.kind === "url" ? found.url : dataUrl(found);
    return { type: "image_url", image_url: { url } };
  }
  if (found.kind === "url") return { type: "text", text: found.url };
  return { type: "file", file: { filename: found.name, file_data: dataUrl(found) } };
}

function toolOf(tool: NonNullable<RequestOptions["tools"]>[number]): ChatTool {
  const { name, description } = tool;
  const about = description === undefined ? {} : { description };
  return { type: "function", function: { name, ...about, parameters: schemaOf(tool) } };
}
