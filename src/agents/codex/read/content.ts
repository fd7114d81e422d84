import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import { type Block, type Content, contentOfBlocks, textBlock } from "../../../model/block.ts";

/** Content parts of a Responses item as ours: one text becomes a string, more become blocks. */
export function contentOf(parts: unknown): Content {
  if (typeof parts === "string") return parts;
  if (!Array.isArray(parts)) return parts === undefined || parts === null ? "" : [opaque(parts)];
  return contentOfBlocks(parts.map(blockOf));
}

function blockOf(part: unknown): Block {
  if (!isObject(part)) return opaque(part);
  const text = asString(part["text"]);
  switch (part["type"]) {
    case "input_text":
    case "output_text":
    case "text":
      return text === undefined ? opaque(part) : textBlock(text);
    case "input_image":
      return imageOf(part);
    default:
      return opaque(part);
  }
}

function imageOf(part: JsonObject): Block {
  const url = asString(part["image_url"]);
  if (url === undefined) return opaque(part);
  const comma = url.startsWith("data:") ? url.indexOf(",") : -1;
  if (comma < 0) return { type: "image", mediaType: "image/*", source: { kind: "url", url } };
  const [mediaType = "", ...attributes] = url.slice("data:".length, comma).split(";");
  if (!attributes.includes("base64")) return opaque(part);
  const data = url.slice(comma + 1);
  return { type: "image", mediaType: mediaType || "image/*", source: { kind: "base64", data } };
}

function opaque(value: unknown): Block {
  return { type: "opaque", from: "codex", value };
}
