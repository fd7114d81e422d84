import { asArray, asNumber, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { type Block, type Content, contentOfBlocks, textBlock } from "../../../model/block.ts";
import type { Usage } from "../../../model/usage.ts";
import { agentName } from "../record-types.ts";

/** The blocks of what has a content, as the record holds them; a plain string is one text block. */
export function nativeBlocks(of: JsonObject, key = "content"): readonly unknown[] {
  const text = asString(of[key]);
  return text === undefined ? asArray(of[key]) : [textBlock(text)];
}

/** What has a content as ours: a string where it is a single text. */
export function contentOf(of: JsonObject): Content {
  const blocks = nativeBlocks(of).map(blockOf);
  return blocks.length === 0 ? "" : contentOfBlocks(blocks);
}

/** One native block; what we do not know stays as it is. */
export function blockOf(native: unknown): Block {
  if (typeof native === "string") return { type: "text", text: native };
  if (isObject(native)) {
    const text = native["type"] === "text" ? asString(native["text"]) : undefined;
    if (text !== undefined) return textBlock(text);
    const source = native["source"];
    if (isObject(source)) {
      const given = givenBlock(native, source);
      if (given !== undefined) return given;
    }
  }
  return { type: "opaque", from: agentName, value: native };
}

function givenBlock(native: JsonObject, source: JsonObject): Block | undefined {
  const mediaType = asString(source["media_type"]);
  const data = asString(source["data"]);
  const url = asString(source["url"]);
  const place =
    source["type"] === "base64" && data !== undefined
      ? { kind: "base64" as const, data }
      : source["type"] === "url" && url !== undefined
        ? { kind: "url" as const, url }
        : undefined;
  if (place === undefined) return undefined;
  if (native["type"] === "image") {
    return { type: "image", mediaType: mediaType ?? "image/*", source: place };
  }
  if (native["type"] !== "document") return undefined;
  const name = asString(native["title"]);
  return {
    type: "file",
    ...(mediaType !== undefined && { mediaType }),
    ...(name !== undefined && { name }),
    source: place,
  };
}

/** The tokens of a model message as it states them, or undefined. */
export function usageOf(native: unknown): Usage | undefined {
  if (!isObject(native)) return undefined;
  const details = native["output_tokens_details"];
  const usage = withoutAbsent({
    input: asNumber(native["input_tokens"]),
    output: asNumber(native["output_tokens"]),
    cacheRead: asNumber(native["cache_read_input_tokens"]),
    cacheWrite: asNumber(native["cache_creation_input_tokens"]),
    reasoning: isObject(details) ? asNumber(details["thinking_tokens"]) : undefined,
  });
  return Object.keys(usage).length === 0 ? undefined : usage;
}

/** The totals of a `cost-state` record over all its models, or undefined. */
export function totalUsage(costState: JsonObject): Usage | undefined {
  const models = costState["modelUsage"];
  if (!isObject(models)) return undefined;
  const sum: Record<string, number> = {};
  for (const row of Object.values(models)) {
    if (!isObject(row)) continue;
    for (const [native, name] of totals) {
      const value = asNumber(row[native]);
      if (value !== undefined) sum[name] = (sum[name] ?? 0) + value;
    }
  }
  const cost = asNumber(costState["totalCostUSD"]);
  if (cost !== undefined) sum["cost"] = cost;
  return Object.keys(sum).length === 0 ? undefined : sum;
}

const totals: readonly (readonly [string, keyof Usage])[] = [
  ["inputTokens", "input"],
  ["outputTokens", "output"],
  ["cacheReadInputTokens", "cacheRead"],
  ["cacheCreationInputTokens", "cacheWrite"],
  ["thinkingTokens", "reasoning"],
];

/** The same object without its undefined fields. */
export function withoutAbsent<T extends Record<string, unknown>>(
  object: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
