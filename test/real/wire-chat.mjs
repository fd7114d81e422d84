import { json, sse } from "./sse.mjs";

/** OpenAI Chat Completions. */
export const chat = {
  path: /\/chat\/completions/,
  hasTools: (body) => (body.tools ?? []).length > 0,
  *atoms({ messages }) {
    for (const message of messages) {
      if (message.role === "system" || message.role === "developer") continue;
      yield* atomsOfMessage(message);
    }
  },
  reply(response, { step, body, serial }) {
    const base = { id: `chatcmpl-stub-${serial}`, created: 1, model: body.model };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const isText = typeof step === "string";
    const call = isText ? undefined : callOf(step, serial);
    const message = {
      role: "assistant",
      content: isText ? step : null,
      ...(call && { tool_calls: [call] }),
    };
    const reason = isText ? "stop" : "tool_calls";
    if (!body.stream) {
      const choices = [{ index: 0, message, finish_reason: reason }];
      return json(response, { ...base, object: "chat.completion", choices, usage });
    }
    const delta = call ? { ...message, tool_calls: [{ index: 0, ...call }] } : message;
    const chunk = { ...base, object: "chat.completion.chunk" };
    const events = [
      { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
      { ...chunk, choices: [], usage },
    ];
    sse(response, events, { done: true });
  },
};

function callOf({ name, input }, serial) {
  const call = { name, arguments: JSON.stringify(input) };
  return { id: `call_stub_${serial}`, type: "function", function: call };
}

function* atomsOfMessage({ role, content, tool_calls, tool_call_id }) {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
  if (role === "tool") {
    yield { kind: "result", id: tool_call_id, text: blocks.map(({ text }) => text ?? "").join("") };
    return;
  }
  for (const block of blocks) {
    if (block.type === "image_url") {
      yield { kind: "image", data: block.image_url.url.split("base64,")[1] };
    } else if (block.text !== "") yield { kind: role, text: block.text };
  }
  for (const { id, function: call } of tool_calls ?? []) {
    yield { kind: "call", id, name: call.name, input: JSON.parse(call.arguments) };
  }
}
