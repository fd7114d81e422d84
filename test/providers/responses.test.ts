import { expect, test } from "vitest";
import type { EventBody } from "../../src/model/event.ts";
import { fromAiSdk } from "../../src/providers/ai-sdk.ts";
import { fromAnthropic } from "../../src/providers/anthropic.ts";
import { fromGemini } from "../../src/providers/gemini.ts";
import { fromChat } from "../../src/providers/openai-chat.ts";
import { fromResponses } from "../../src/providers/openai-responses.ts";
import { bodiesOf, contextOf } from "./bodies.ts";

const of = { message: "r1", model: "m" };
const call = { type: "tool_use", call: "c1", name: "read", input: { path: "a" }, ...of };

test("a response of Anthropic becomes events, and goes back as it came", () => {
  const content = [
    { type: "thinking", thinking: "hm", signature: "sig" },
    { type: "redacted_thinking", data: "secret" },
    { type: "text", text: "Reading." },
    { type: "tool_use", id: "c1", name: "read", input: { path: "a" } },
  ];
  const usage = {
    input_tokens: 10,
    output_tokens: 5,
    cache_read_input_tokens: 3,
    cache_creation_input_tokens: 2,
  };
  const events = fromAnthropic({ id: "r1", model: "m", content, stop_reason: "tool_use", usage });
  expect(events).toEqual([
    { type: "thinking", content: "hm", signature: "sig", ...of },
    { type: "thinking", content: "", signature: "secret", redacted: true, ...of },
    { type: "assistant", content: "Reading.", ...of },
    { ...call, usage: { input: 10, output: 5, cacheRead: 3, cacheWrite: 2 } },
  ]);
  expect(again(events).anthropic.messages[1]).toEqual({ role: "assistant", content });
});

test("a response of OpenAI's Responses API becomes events, and goes back as it came", () => {
  const output = [
    {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "hm" }],
      encrypted_content: "sig",
    },
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      content: [{ type: "output_text", text: "Reading." }],
    },
    { type: "function_call", id: "fc_1", call_id: "c1", name: "read", arguments: '{"path":"a"}' },
  ];
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 2 },
  };
  const events = fromResponses({ id: "r1", model: "m", status: "completed", output, usage });
  expect(events).toEqual([
    { type: "thinking", content: "hm", signature: "sig", ...of },
    { type: "assistant", content: "Reading.", ...of },
    { ...call, usage: { input: 6, output: 5, cacheRead: 4, reasoning: 2 } },
  ]);
  const withoutIds = output.map(({ id: _id, ...item }) => item);
  expect(again(events).responses.input.slice(1, 4)).toEqual(withoutIds);
});

test("a chat completion becomes events, and goes back as it came", () => {
  const message = {
    role: "assistant",
    content: "Reading.",
    tool_calls: [
      { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
    ],
  };
  const choices = [{ index: 0, message, finish_reason: "tool_calls" }];
  const usage = { prompt_tokens: 10, completion_tokens: 5 };
  const events = fromChat({ id: "r1", model: "m", choices, usage });
  expect(events).toEqual([
    { type: "assistant", content: "Reading.", ...of },
    { ...call, usage: { input: 10, output: 5 } },
  ]);
  expect(again(events).chat.messages[1]).toEqual(message);
});

test("a response of Gemini becomes events, and goes back with its signature where it was", () => {
  const parts = [
    { text: "hm", thought: true },
    { text: "Reading." },
    { functionCall: { id: "c1", name: "read", args: { path: "a" } }, thoughtSignature: "sig" },
  ];
  const candidates = [{ content: { role: "model", parts }, finishReason: "STOP" }];
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, thoughtsTokenCount: 2 };
  const events = fromGemini({ responseId: "r1", modelVersion: "m", candidates, usageMetadata });
  expect(events).toEqual([
    { type: "thinking", content: "hm", ...of },
    { type: "assistant", content: "Reading.", ...of },
    { type: "thinking", content: "", signature: "sig", ...of },
    { ...call, usage: { input: 10, output: 5, reasoning: 2 } },
  ]);
  // Thinking without a signature proves nothing, so it stays here.
  expect(again(events).gemini.contents[1]).toEqual({ role: "model", parts: parts.slice(1) });
});

test("a generation of the AI SDK becomes events", () => {
  const content = [
    { type: "reasoning", text: "hm", providerMetadata: { anthropic: { signature: "sig" } } },
    { type: "text", text: "Done." },
  ];
  const usage = { inputTokens: 10, outputTokens: 5 };
  const response = { id: "r1", modelId: "m" };
  expect(fromAiSdk({ content, usage, finishReason: "stop", response })).toEqual([
    { type: "thinking", content: "hm", signature: "sig", ...of },
    {
      type: "assistant",
      content: "Done.",
      usage: { input: 10, output: 5 },
      stopReason: "stop",
      endTurn: true,
      ...of,
    },
  ]);
});

test("what is no response is an answer without words", () => {
  for (const from of [fromAnthropic, fromResponses, fromChat, fromGemini, fromAiSdk]) {
    for (const odd of [
      undefined,
      null,
      7,
      "x",
      [],
      {},
      { content: 3, output: "x", choices: [null] },
    ]) {
      expect(from(odd)).toEqual([{ type: "assistant", content: "" }]);
    }
  }
});

/** The requests that follow these events, once the call was answered. */
function again(events: readonly EventBody[]) {
  const asked: EventBody = { type: "user", content: "Read a" };
  const answered: EventBody = { type: "tool_result", call: "c1", content: "a" };
  return bodiesOf(contextOf([asked, ...events, answered]));
}
