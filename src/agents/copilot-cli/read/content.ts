import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { Block } from "../../../model/block.ts";

/** Gives the bytes that a session keeps once, in a record of their own; undefined where they are not found. */
export type AssetOf = (asset: string) => string | undefined;

/** What was attached to a prompt: images and files as such, the rest as it is. */
export function attachmentsOf(data: JsonObject, assetOf: AssetOf): readonly Block[] {
  return asArray(data["attachments"]).map((value) => blockOf(value, assetOf));
}

function blockOf(value: unknown, assetOf: AssetOf): Block {
  if (isObject(value)) {
    const name = asString(value["displayName"]);
    const mediaType = asString(value["mimeType"]);
    const named = name === undefined ? {} : { name };
    const asset = asString(value["assetId"]);
    const bytes = asString(value["data"]) ?? (asset === undefined ? undefined : assetOf(asset));
    if (bytes !== undefined) {
      const source = { kind: "base64", data: bytes } as const;
      if (mediaType?.startsWith("image/")) return { type: "image", mediaType, source, ...named };
      return { type: "file", source, ...(mediaType !== undefined && { mediaType }), ...named };
    }
    const path = value["type"] === "file" ? asString(value["path"]) : undefined;
    if (path !== undefined) return { type: "file", source: { kind: "path", path }, ...named };
  }
  return { type: "opaque", from: "copilot-cli", value };
}

/** What a tool answered the model: its content, or why it failed. */
export function answerOf(data: JsonObject): string {
  const { result, error } = data;
  if (isObject(result)) {
    const content = asString(result["content"]);
    if (content !== undefined) return content;
  }
  if (isObject(error)) return asString(error["message"]) ?? "";
  return asString(result) ?? asString(error) ?? "";
}

/** What is reported an answer besides: the diff shown to the person, the exit code, the files it changed. */
export function detailsOf(data: JsonObject): JsonObject | undefined {
  const { result, error, shellExecution, fileEdits } = data;
  const shown = isObject(result) ? result["detailedContent"] : undefined;
  const contents = isObject(result) ? result["contents"] : undefined;
  const details = {
    ...(shown !== undefined && { detailedContent: shown }),
    ...(contents !== undefined && { contents }),
    ...(error !== undefined && { error }),
    ...(shellExecution !== undefined && { shellExecution }),
    ...(fileEdits !== undefined && { fileEdits }),
  };
  return Object.keys(details).length === 0 ? undefined : details;
}
