import type { Context } from "../../src/context/build.ts";
import { buildContext } from "../../src/context/build.ts";
import type { EventBody, SessionEvent } from "../../src/model/event.ts";
import { type AnthropicRequest, toAnthropic } from "../../src/providers/anthropic.ts";
import { type GeminiRequest, toGemini } from "../../src/providers/gemini.ts";
import { type ChatRequest, toChat } from "../../src/providers/openai-chat.ts";
import { type ResponsesRequest, toResponses } from "../../src/providers/openai-responses.ts";
import type { RequestOptions } from "../../src/providers/request.ts";

/** Events in the order given, as a session would have them. */
export function contextOf(bodies: readonly EventBody[]): Context {
  const events = bodies.map((body, index) => ({
    id: index + 1,
    ...(index > 0 && { parent: index }),
    at: "2026-11-18T10:00:00.000Z",
    ...body,
  }));
  return buildContext(events as readonly SessionEvent[]);
}

/** The same conversation for each API. */
export interface Bodies {
  readonly anthropic: AnthropicRequest;
  readonly responses: ResponsesRequest;
  readonly chat: ChatRequest;
  readonly gemini: GeminiRequest;
}

/** The request of each API. */
export function bodiesOf(context: Context, options: RequestOptions = { model: "m" }): Bodies {
  return {
    anthropic: toAnthropic(context, options),
    responses: toResponses(context, options),
    chat: toChat(context, options),
    gemini: toGemini(context, options),
  };
}

const validId = /^[A-Za-z0-9_-]{1,40}$/;
const validName = /^[A-Za-z0-9_-]{1,64}$/;

/** Every rule of the four APIs that a body breaks. */
export function brokenRules(bodies: Bodies): readonly string[] {
  return [
    ...takesTurns("anthropic", bodies.anthropic.messages),
    ...takesTurns("gemini", bodies.gemini.contents),
    ...pairs("anthropic", anthropicSteps(bodies.anthropic)),
    ...pairs("responses", bodies.responses.input.map(responsesStep)),
    ...pairs("chat", bodies.chat.messages.flatMap(chatSteps)),
    ...pairs(
      "gemini",
      bodies.gemini.contents.flatMap(({ parts }) => parts.map(geminiStep)),
    ),
  ];
}

interface StepSeen {
  readonly call?: string;
  readonly name?: string;
  readonly answer?: string;
  readonly text?: string;
}

function* takesTurns(
  api: string,
  messages: readonly { readonly role: string }[],
): Iterable<string> {
  if (messages[0]?.role !== "user") yield `${api}: the first is not the user's`;
  for (const [index, { role }] of messages.entries()) {
    if (role === messages[index - 1]?.role) yield `${api}: two of ${role} in a row`;
  }
}

/** Calls have valid ids, are answered once and before anybody speaks again; no text is empty. */
function* pairs(api: string, steps: readonly StepSeen[]): Iterable<string> {
  const open = new Set<string>();
  const known = new Set<string>();
  for (const { call, name = "x", answer, text } of steps) {
    if (text !== undefined && text.trim() === "") yield `${api}: an empty text`;
    if (text !== undefined && open.size > 0 && answer === undefined && call === undefined)
      yield `${api}: somebody speaks before the results`;
    if (!validName.test(name)) yield `${api}: tool ${name}`;
    if (call !== undefined) {
      if (!validId.test(call)) yield `${api}: id ${call}`;
      if (known.has(call)) yield `${api}: ${call} is called twice`;
      known.add(call);
      open.add(call);
    }
    if (answer !== undefined && !open.delete(answer)) yield `${api}: ${answer} was not open`;
  }
  for (const call of open) yield `${api}: ${call} has no result`;
}

function anthropicSteps({ messages }: AnthropicRequest): readonly StepSeen[] {
  return messages.flatMap(({ role, content }) =>
    content.map((block): StepSeen => {
      if (block.type === "tool_use") return { call: block.id, name: block.name };
      if (block.type === "tool_result") return { answer: block.tool_use_id };
      return block.type === "text" && role === "user" ? { text: block.text } : {};
    }),
  );
}

function responsesStep(item: ResponsesRequest["input"][number]): StepSeen {
  if (item.type === "function_call") return { call: item.call_id, name: item.name };
  if (item.type === "function_call_output") return { answer: item.call_id };
  if (item.type !== "message" || item.role !== "user") return {};
  const texts = item.content.flatMap((part) => (part.type === "input_text" ? [part.text] : []));
  return texts.length === 0 ? {} : { text: texts.join("\n") };
}

function chatSteps(message: ChatRequest["messages"][number]): readonly StepSeen[] {
  if (message.role === "tool") return [{ answer: message.tool_call_id }];
  if (message.role === "user")
    return typeof message.content === "string" ? [{ text: message.content }] : [];
  if (message.role !== "assistant") return [];
  return (message.tool_calls ?? []).map(({ id, function: made }) => ({
    call: id,
    name: made.name,
  }));
}

function geminiStep(part: GeminiRequest["contents"][number]["parts"][number]): StepSeen {
  if (part.functionCall !== undefined)
    return { call: part.functionCall.id, name: part.functionCall.name };
  return part.functionResponse === undefined ? {} : { answer: part.functionResponse.id };
}
