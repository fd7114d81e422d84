import { asString, isObject, type JsonObject } from "../base/json.ts";
import { type Block, type Content, contentOfBlocks } from "../model/block.ts";
import type { EventBody } from "../model/event.ts";

/*
 * Parts of Gemini's API, as Gemini CLI and the programs that grew from it keep them.
 */

/** Whose parts they are: what nobody knows is kept for this agent. */
export interface PartsOf {
  readonly from: string;
}

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

/** A part as a block; what the model does not know is kept opaque. */
export function blockOf(part: JsonObject, { from }: PartsOf): Block {
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
  return { type: "opaque", from, value: part };
}

/** Parts as content. */
export function contentOf(parts: readonly JsonObject[], of: PartsOf): Content {
  return parts.length === 0 ? "" : contentOfBlocks(parts.map((part) => blockOf(part, of)));
}

/** The name a response gives a call that carries no id; pairing finds the open call by tool name. */
export const unnamedCall = "";

/** A `functionCall` part as an event; calls of old versions have no id and get one from their place. */
export function toolUse(
  call: JsonObject,
  options: { readonly message: string | undefined; readonly ordinal: number },
): Extract<EventBody, { type: "tool_use" }> {
  const name = asString(call["name"]) ?? "unknown";
  const id = asString(call["id"]) ?? `${options.message ?? "call"}:${name}:${options.ordinal}`;
  return { type: "tool_use", call: id, name, input: call["args"] ?? {} };
}

/** A `functionResponse` part, with the parts that stand beside it, as an event. */
export function toolResult(
  response: JsonObject,
  { from, beside = [] }: PartsOf & { readonly beside?: readonly JsonObject[] },
): Extract<EventBody, { type: "tool_result" }> {
  const name = asString(response["name"]);
  const extra = [...partsOf(response["parts"]), ...beside].map((part) => blockOf(part, { from }));
  const { content, isError } = responseContent(response["response"], extra);
  return {
    type: "tool_result",
    call: asString(response["id"]) ?? unnamedCall,
    ...(name === undefined ? {} : { name }),
    content,
    ...(isError ? { isError } : {}),
  };
}

function responseContent(
  response: unknown,
  blocks: readonly Block[],
): { readonly content: Content; readonly isError: boolean } {
  const error = isObject(response) ? response["error"] : undefined;
  const isError = error !== undefined;
  const text = responseText(isError ? { output: error } : response);
  if (blocks.length === 0) return { content: text, isError };
  return {
    content: contentOfBlocks(text === "" ? blocks : [{ type: "text", text }, ...blocks]),
    isError,
  };
}

function responseText(response: unknown): string {
  if (typeof response === "string") return response;
  if (!isObject(response)) return response === undefined ? "" : JSON.stringify(response);
  const { output } = response;
  if (typeof output === "string" && Object.keys(response).length === 1) return output;
  return JSON.stringify(
    output !== undefined && Object.keys(response).length === 1 ? output : response,
  );
}
