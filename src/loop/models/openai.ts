import { asArray, asNumber, asString, isObject, type JsonObject } from "../../base/json.ts";
import type { Usage } from "../../model/usage.ts";
import { countsIn, withoutCached } from "../../providers/counts.ts";
import { toChat } from "../../providers/openai-chat.ts";
import { inputOf } from "../../providers/openai-responses.ts";
import type { Model, ModelPart } from "../model.ts";
import { type Endpoint, modelAt } from "./endpoint.ts";
import { failure } from "./post.ts";

/** A model behind the Chat Completions API: OpenAI's, and of all who speak it, such as Ollama. */
export function openai(endpoint: Endpoint): Model {
  const streamed = { stream: true, stream_options: { include_usage: true } };
  return modelAt(endpoint, {
    address: "https://api.openai.com/v1",
    path: () => "/chat/completions",
    key: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
    body: (conversation, options) => ({ ...toChat(conversation, options), ...streamed }),
    parts,
  });
}

/** A call while it comes in. */
interface Call {
  id: string;
  name: string;
  json: string;
}

async function* parts(chunks: AsyncIterable<JsonObject>): AsyncGenerator<ModelPart> {
  const calls = new Map<number, Call>();
  let usage: Usage | undefined;
  let stopReason: string | undefined;
  for await (const chunk of chunks) {
    if (chunk["error"] !== undefined && chunk["error"] !== null) throw failure(saidIn(chunk));
    usage = counted(chunk) ?? usage;
    const [choice] = asArray(chunk["choices"]).filter(isObject);
    if (choice === undefined) continue;
    stopReason = asString(choice["finish_reason"]) ?? stopReason;
    const delta = isObject(choice["delta"]) ? choice["delta"] : {};
    // Some who speak this API put the thinking beside the answer.
    const thought = asString(delta["reasoning_content"]) ?? asString(delta["reasoning"]) ?? "";
    if (thought !== "") yield { type: "thinking", text: thought };
    const text = asString(delta["content"]) ?? asString(delta["refusal"]) ?? "";
    if (text !== "") yield { type: "text", text };
    for (const part of asArray(delta["tool_calls"]).filter(isObject)) addTo(calls, part);
  }
  if (stopReason === undefined) return;
  for (const { id, name, json } of calls.values())
    yield { type: "call", call: id, name, input: inputOf(json) };
  yield { type: "end", stopReason, usage };
}

/** Pieces of a call have its place; where a server leaves that out, an id begins the next one. */
function addTo(calls: Map<number, Call>, part: JsonObject): void {
  const id = asString(part["id"]) ?? "";
  const place = asNumber(part["index"]) ?? (id === "" ? Math.max(0, calls.size - 1) : calls.size);
  const call = calls.get(place) ?? { id: "", name: "", json: "" };
  const made = isObject(part["function"]) ? part["function"] : {};
  call.id ||= id;
  call.name += asString(made["name"]) ?? "";
  call.json += asString(made["arguments"]) ?? "";
  calls.set(place, call);
}

function counted(chunk: JsonObject): Usage | undefined {
  return withoutCached(
    countsIn(chunk["usage"], {
      input: "prompt_tokens",
      output: "completion_tokens",
      cacheRead: "prompt_tokens_details.cached_tokens",
      reasoning: "completion_tokens_details.reasoning_tokens",
    }),
  );
}

function saidIn({ error }: JsonObject): string {
  const message = isObject(error) ? asString(error["message"]) : asString(error);
  return `The model's server ended the answer: ${message ?? "no reason given"}.`;
}
