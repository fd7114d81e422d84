// A model on the loopback that streams its answers in small pieces, in three protocols, and misbehaves when asked to.
import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { wires } from "../real/wire.mjs";

const [anthropicWire, , chatWire, geminiWire] = wires;

/**
 * Starts the server. `next(request)` gives the answer to a request:
 * `{text?, calls?: [{name, input}], paceMs?, pieceChars?, usage?}`, or one of
 * `{status, body?}`, `{cut: text}` (ends midway), `{raw}` (as it is), `{hang: true}` (never answers).
 */
export async function startModel(next) {
  const requests = [];
  const server = createServer((request, response) => {
    response.on("error", () => undefined);
    receive(request)
      .then((body) => {
        const protocol = protocols.find(({ path }) => path.test(request.url));
        if (protocol === undefined) {
          response.writeHead(404).end();
          return undefined;
        }
        const seen = {
          protocol: protocol.name,
          url: request.url,
          headers: request.headers,
          body,
          atoms: [...protocol.wire.atoms(body)],
        };
        requests.push(seen);
        return answer(response, protocol, { seen, step: next(seen, requests.length) });
      })
      .catch(() => response.destroy());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}

let serial = 0;

async function answer(response, protocol, { seen, step }) {
  if (step.hang) return;
  if (step.status !== undefined) {
    response.writeHead(step.status, { "content-type": "application/json" });
    response.end(JSON.stringify(step.body ?? { error: { message: "busy" } }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (step.raw !== undefined) {
    response.end(step.raw);
    return;
  }
  serial += 1;
  const { paceMs = 0, pieceChars = 7 } = step;
  const text = step.cut ?? step.text ?? "";
  const pieces = text.match(new RegExp(`.{1,${pieceChars}}`, "gs")) ?? [];
  const calls = (step.calls ?? []).map((call, index) => ({
    id: `call_${serial}_${index}`,
    ...call,
  }));
  const usage = { input: 100, output: 20, ...step.usage };
  for (const event of protocol.events({ pieces, calls, usage, model: seen.body.model })) {
    if (paceMs > 0 && event.paced) await wait(paceMs);
    if (response.destroyed) return;
    const named = event.data.type === undefined ? "" : `event: ${event.data.type}\n`;
    response.write(`${named}data: ${JSON.stringify(event.data)}\n\n`);
    if (step.cut !== undefined && event.isText) {
      step.seen = (step.seen ?? 0) + 1;
      if (step.seen === pieces.length) {
        // What was written still arrives.
        response.socket.destroySoon();
        return;
      }
    }
  }
  response.end(protocol.end);
}

const protocols = [
  {
    name: "anthropic",
    path: /\/v1\/messages/,
    wire: anthropicWire,
    end: "",
    *events({ pieces, calls, usage, model }) {
      const counts = { input_tokens: usage.input, output_tokens: 1 };
      const message = { id: `msg_${serial}`, role: "assistant", model, content: [], usage: counts };
      yield { data: { type: "message_start", message } };
      let index = 0;
      if (pieces.length > 0) {
        yield {
          data: { type: "content_block_start", index, content_block: { type: "text", text: "" } },
        };
        for (const text of pieces)
          yield {
            paced: true,
            isText: true,
            data: { type: "content_block_delta", index, delta: { type: "text_delta", text } },
          };
        yield { data: { type: "content_block_stop", index } };
        index += 1;
      }
      for (const { id, name, input } of calls) {
        const content_block = { type: "tool_use", id, name, input: {} };
        yield { data: { type: "content_block_start", index, content_block } };
        for (const partial_json of JSON.stringify(input).match(/.{1,9}/gs))
          yield {
            data: {
              type: "content_block_delta",
              index,
              delta: { type: "input_json_delta", partial_json },
            },
          };
        yield { data: { type: "content_block_stop", index } };
        index += 1;
      }
      const delta = { stop_reason: calls.length > 0 ? "tool_use" : "end_turn" };
      yield { data: { type: "message_delta", delta, usage: { output_tokens: usage.output } } };
      yield { data: { type: "message_stop" } };
    },
  },
  {
    name: "openai",
    path: /\/chat\/completions/,
    wire: chatWire,
    end: "data: [DONE]\n\n",
    *events({ pieces, calls, usage, model }) {
      const chunk = (delta, finish_reason = null) => ({
        id: `chatcmpl_${serial}`,
        model,
        choices: [{ index: 0, delta, finish_reason }],
      });
      for (const content of pieces) yield { paced: true, isText: true, data: chunk({ content }) };
      for (const [index, { id, name, input }] of calls.entries()) {
        yield { data: chunk({ tool_calls: [{ index, id, function: { name, arguments: "" } }] }) };
        for (const piece of JSON.stringify(input).match(/.{1,9}/gs))
          yield { data: chunk({ tool_calls: [{ index, function: { arguments: piece } }] }) };
      }
      yield { data: chunk({}, calls.length > 0 ? "tool_calls" : "stop") };
      const counts = { prompt_tokens: usage.input, completion_tokens: usage.output };
      yield { data: { id: `chatcmpl_${serial}`, choices: [], usage: counts } };
    },
  },
  {
    name: "gemini",
    path: /:streamGenerateContent/,
    wire: geminiWire,
    end: "",
    *events({ pieces, calls, usage }) {
      const chunk = (parts, more = {}) => ({
        candidates: [{ content: { role: "model", parts }, ...more }],
      });
      for (const text of pieces) yield { paced: true, isText: true, data: chunk([{ text }]) };
      const parts = calls.map(({ name, input }) => ({ functionCall: { name, args: input } }));
      const usageMetadata = { promptTokenCount: usage.input, candidatesTokenCount: usage.output };
      yield { data: { ...chunk(parts, { finishReason: "STOP" }), usageMetadata } };
    },
  },
];

async function receive(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

/** Every rule of the API that a request breaks: calls answered once and at once, no empty text, roles in turns. */
export function brokenRules({ protocol, body, atoms }) {
  const broken = [];
  const messages = body.messages ?? body.contents;
  const spoken = messages.filter(({ role }) => role !== "system");
  if (spoken[0]?.role !== "user") broken.push("the first is not the user's");
  const last = spoken.at(-1)?.role;
  if (last !== "user" && last !== "tool") broken.push(`the last is the ${last}'s`);
  if (protocol !== "openai")
    for (const [index, { role }] of spoken.entries())
      if (role === spoken[index - 1]?.role) broken.push(`two of ${role} in a row`);
  const open = new Set();
  const known = new Set();
  for (const { kind, id, text } of atoms) {
    if (kind === "call") {
      if (known.has(id)) broken.push(`${id} is called twice`);
      known.add(id);
      open.add(id);
    } else if (kind === "result") {
      if (!open.delete(id)) broken.push(`the result of ${id} has no open call`);
    } else {
      if (open.size > 0) broken.push("somebody speaks before the results");
      if (text !== undefined && text !== null && text.trim() === "") broken.push("an empty text");
    }
  }
  for (const id of open) broken.push(`${id} has no result`);
  return broken;
}
