import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { type Block, type Content, contentOfBlocks, textBlock } from "../../../model/block.ts";
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
    const tool = foundTool(native);
    if (tool !== undefined) return tool;
    const source = native["source"];
    if (isObject(source)) {
      const given = givenBlock(native, source);
      if (given !== undefined) return given;
    }
  }
  return { type: "opaque", from: agentName, value: native };
}

/** A tool that a search for tools found: the program offers it to the model from then on. */
function foundTool(native: JsonObject): Block | undefined {
  const name = native["type"] === "tool_reference" ? asString(native["tool_name"]) : undefined;
  if (name === undefined) return undefined;
  return { ...textBlock(`Tool found: ${name}`), native: { from: agentName, value: native } };
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
