import { asArray, asNumber, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { type Block, type Content, contentOfBlocks, textBlock } from "../../../model/block.ts";
import type { Usage } from "../../../model/usage.ts";

/** A user's or a tool's content: text stays text, blocks we do not know are kept. */
export function contentOf(message: JsonObject): Content {
  const text = asString(message["content"]);
  const blocks = text === undefined ? asArray(message["content"]).map(blockOf) : [textBlock(text)];
  return contentOfBlocks(blocks);
}

/** One block of any message. */
export function blockOf(value: unknown): Block {
  if (isObject(value)) {
    const text = value["type"] === "text" ? asString(value["text"]) : undefined;
    if (text !== undefined) return textBlock(text);
    const data = asString(value["data"]);
    if (value["type"] === "image" && data !== undefined) {
      const mediaType = asString(value["mimeType"]) ?? "application/octet-stream";
      return { type: "image", mediaType, source: { kind: "base64", data } };
    }
  }
  return { type: "opaque", from: "pi", value };
}

/** The tokens of one model message, where it states them. */
export function usageOf(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const usage: Record<string, number> = {};
  for (const key of ["input", "output", "cacheRead", "cacheWrite"]) {
    const count = asNumber(value[key]);
    if (count !== undefined) usage[key] = count;
  }
  const cost = isObject(value["cost"]) ? asNumber(value["cost"]["total"]) : undefined;
  if (cost !== undefined) usage["cost"] = cost;
  return Object.keys(usage).length === 0 ? undefined : usage;
}
