import { asArray, asString, isObject, type JsonObject } from "../../base/json.ts";
import type { Usage } from "../../model/usage.ts";
import { countsIn, withoutCached } from "../../providers/counts.ts";
import { toGemini } from "../../providers/gemini.ts";
import type { Model, ModelPart } from "../model.ts";
import { type Endpoint, modelAt } from "./endpoint.ts";
import { failure } from "./post.ts";

/** A model behind Gemini's generateContent API. */
export function gemini(endpoint: Endpoint): Model {
  return modelAt(endpoint, {
    address: "https://generativelanguage.googleapis.com",
    path: (model) => `/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
    key: (apiKey) => ({ "x-goog-api-key": apiKey }),
    body: toGemini,
    parts,
  });
}

async function* parts(chunks: AsyncIterable<JsonObject>): AsyncGenerator<ModelPart> {
  let usage: Usage | undefined;
  let stopReason: string | undefined;
  for await (const chunk of chunks) {
    if (isObject(chunk["error"])) throw failure(refused(asString(chunk["error"]["message"])));
    const feedback = isObject(chunk["promptFeedback"]) ? chunk["promptFeedback"] : {};
    const blocked = asString(feedback["blockReason"]);
    if (blocked !== undefined) throw failure(refused(blocked));
    usage = counted(chunk) ?? usage;
    const [candidate] = asArray(chunk["candidates"]).filter(isObject);
    if (candidate === undefined) continue;
    stopReason = asString(candidate["finishReason"]) ?? stopReason;
    const content = isObject(candidate["content"]) ? candidate["content"] : {};
    for (const part of asArray(content["parts"]).filter(isObject)) yield* piecesOf(part);
  }
  if (stopReason !== undefined) yield { type: "end", stopReason, usage };
}

/** The signature of a part that is not a thinking stands before it, as thinking without words. */
function* piecesOf(part: JsonObject): Generator<ModelPart> {
  const signature = asString(part["thoughtSignature"]);
  const text = asString(part["text"]) ?? "";
  const call = part["functionCall"];
  if (part["thought"] === true) {
    yield { type: "thinking", text, signature };
    return;
  }
  if (signature !== undefined) yield { type: "thinking", text: "", signature };
  if (isObject(call)) {
    const { id, name, args } = call;
    yield {
      type: "call",
      call: asString(id) ?? "",
      name: asString(name) ?? "",
      input: args ?? {},
    };
  } else if (text !== "") yield { type: "text", text };
}

function counted(chunk: JsonObject): Usage | undefined {
  return withoutCached(
    countsIn(chunk["usageMetadata"], {
      input: "promptTokenCount",
      output: "candidatesTokenCount",
      cacheRead: "cachedContentTokenCount",
      reasoning: "thoughtsTokenCount",
    }),
  );
}

function refused(why: string | undefined): string {
  return `The model's server refused to answer: ${why ?? "no reason given"}.`;
}
