import { json, sse, textOf } from "./sse.mjs";

/** OpenAI Responses. */
export const responses = {
  path: /\/responses(\?|$)/,
  hasTools: (body) => (body.tools ?? []).length > 0,
  *atoms({ input }) {
    const items =
      typeof input === "string" ? [{ type: "message", role: "user", content: input }] : input;
    for (const item of items) yield* atomsOfItem(item);
  },
  reply(response, { step, body, serial }) {
    const item = itemOf(step, serial);
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    };
    const whole = { id: `resp_stub_${serial}`, object: "response", model: body.model };
    const finished = { ...whole, status: "completed", output: [item], usage };
    if (!body.stream) return json(response, finished);
    const events = [
      { type: "response.created", response: { ...whole, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: finished },
    ];
    sse(response, events, { named: true });
  },
};

function itemOf(step, serial) {
  if (typeof step === "string") {
    const content = [{ type: "output_text", text: step, annotations: [] }];
    return {
      type: "message",
      id: `msg_stub_${serial}`,
      role: "assistant",
      status: "completed",
      content,
    };
  }
  const call = { id: `fc_stub_${serial}`, call_id: `call_stub_${serial}`, status: "completed" };
  // Codex has tools that a model must look for before it can call them.
  if (step.search !== undefined) {
    const given = { query: step.search };
    return { ...call, type: "tool_search_call", execution: "client", arguments: given };
  }
  return {
    ...call,
    type: "function_call",
    name: step.name,
    ...(step.namespace !== undefined && { namespace: step.namespace }),
    arguments: JSON.stringify(step.input),
  };
}

function* atomsOfItem(item) {
  switch (item.type ?? "message") {
    case "message":
      if (item.role !== "user" && item.role !== "assistant") return;
      yield* atomsOfMessage(item);
      return;
    case "function_call":
      yield { kind: "call", id: item.call_id, name: item.name, input: JSON.parse(item.arguments) };
      return;
    case "custom_tool_call":
      yield { kind: "call", id: item.call_id, name: item.name, input: { input: item.input } };
      return;
    case "function_call_output":
    case "custom_tool_call_output":
      yield { kind: "result", id: item.call_id, text: textOf(item.output) };
      yield* images(item.output);
      return;
    case "additional_tools":
      return;
    case "reasoning":
      yield { kind: "thinking", text: JSON.stringify(item.summary) };
      return;
    default:
      yield { kind: item.type, text: JSON.stringify(item) };
  }
}

function* atomsOfMessage({ role, content }) {
  const blocks = typeof content === "string" ? [{ type: "input_text", text: content }] : content;
  for (const block of blocks) {
    if (block.type === "input_image") yield* images([block]);
    else yield { kind: role, text: block.text };
  }
}

function* images(content) {
  if (!Array.isArray(content)) return;
  for (const { type, image_url } of content) {
    if (type === "input_image") yield { kind: "image", data: image_url.split("base64,")[1] };
  }
}
