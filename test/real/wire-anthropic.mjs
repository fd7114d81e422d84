import { json, sse, textOf } from "./sse.mjs";

/** Anthropic Messages. */
export const anthropic = {
  path: /\/v1\/messages/,
  hasTools: (body) => (body.tools ?? []).length > 0,
  *atoms({ messages }) {
    for (const { role, content } of messages) {
      if (role === "system") continue;
      const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
      for (const block of blocks) yield* atomsOfBlock(role, block);
    }
  },
  reply(response, { step, body, serial }) {
    const message = {
      id: `msg_stub_${serial}`,
      type: "message",
      role: "assistant",
      model: body.model,
    };
    const usage = { input_tokens: 10, output_tokens: 5 };
    const block =
      typeof step === "string"
        ? { type: "text", text: step }
        : { type: "tool_use", id: `toolu_stub_${serial}`, name: step.name, input: step.input };
    const stop = {
      stop_reason: block.type === "text" ? "end_turn" : "tool_use",
      stop_sequence: null,
    };
    if (!body.stream) return json(response, { ...message, content: [block], ...stop, usage });
    sse(response, [...stream({ message, usage, block, stop })], { named: true });
  },
};

function* atomsOfBlock(role, block) {
  switch (block.type) {
    case "text":
      yield { kind: role, text: block.text };
      return;
    case "image":
      yield { kind: "image", data: block.source.data };
      return;
    case "tool_use":
      yield { kind: "call", id: block.id, name: block.name, input: block.input };
      return;
    case "tool_result":
      yield { kind: "result", id: block.tool_use_id, text: textOf(block.content) };
      if (Array.isArray(block.content)) {
        for (const inner of block.content) {
          if (inner.type === "image") yield { kind: "image", data: inner.source.data };
        }
      }
      return;
    case "thinking":
    case "redacted_thinking":
      yield { kind: "thinking", text: block.thinking ?? "" };
      return;
    default:
      yield { kind: block.type, text: JSON.stringify(block) };
  }
}

function* stream({ message, usage, block, stop }) {
  yield { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } };
  const isText = block.type === "text";
  const empty = isText ? { ...block, text: "" } : { ...block, input: {} };
  yield { type: "content_block_start", index: 0, content_block: empty };
  const delta = isText
    ? { type: "text_delta", text: block.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
  yield { type: "content_block_delta", index: 0, delta };
  yield { type: "content_block_stop", index: 0 };
  yield { type: "message_delta", delta: stop, usage };
  yield { type: "message_stop" };
}
