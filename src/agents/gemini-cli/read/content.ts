import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import { type Block, type Content, contentOfBlocks } from "../../../model/block.ts";

/** The parts of a `content` field, which may be a string, one part, or an array of both. */
export function partsOf(content: unknown): readonly JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ text: content }];
  if (isObject(content)) return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    if (typeof part === "string") return [{ text: part }];
    return isObject(part) ? [part] : [];
  });
}

/** Whether a part is a thought, which the program keeps for the screen only. */
export function isThought(part: JsonObject): boolean {
  return (
    part["thought"] === true || (typeof part["thought"] === "string" && part["thought"] !== "")
  );
}

/** The text of parts as the program's resume rules look at it; what is not text stands as a mark. */
export function textOfParts(parts: readonly JsonObject[]): string {
  return parts.map((part) => asString(part["text"]) ?? "[part]").join("");
}

/** The text that the screen shows for a message: its `displayContent` where it has one. */
export function shownText(message: JsonObject): string {
  const shown = partsOf(message["displayContent"] ?? message["content"]);
  return shown.map((part) => asString(part["text"]) ?? "").join("");
}

/** A part as a block; what the model does not know is kept opaque. */
export function blockOf(part: JsonObject): Block {
  const text = asString(part["text"]);
  if (text !== undefined) return { type: "text", text };
  const inline = part["inlineData"];
  if (isObject(inline)) {
    const data = asString(inline["data"]);
    const mediaType = asString(inline["mimeType"]) ?? "application/octet-stream";
    if (data !== undefined) {
      const source = { kind: "base64", data } as const;
      return mediaType.startsWith("image/")
        ? { type: "image", mediaType, source }
        : { type: "file", mediaType, source };
    }
  }
  const file = part["fileData"];
  if (isObject(file)) {
    const url = asString(file["fileUri"]);
    const mediaType = asString(file["mimeType"]);
    if (url !== undefined) {
      const source = { kind: "url", url } as const;
      return mediaType === undefined
        ? { type: "file", source }
        : { type: "file", mediaType, source };
    }
  }
  return { type: "opaque", from: "gemini-cli", value: part };
}

/** Parts as content. */
export function contentOf(parts: readonly JsonObject[]): Content {
  return parts.length === 0 ? "" : contentOfBlocks(parts.map(blockOf));
}
