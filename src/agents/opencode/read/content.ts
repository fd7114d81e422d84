import { asString, type JsonObject } from "../../../base/json.ts";
import type { Block, Source } from "../../../model/block.ts";

const dataUrl = /^data:([^;,]*)(;base64)?,/i;

/** A `file` part or attachment as a block. */
export function blockOfFile(part: JsonObject): Block {
  const url = asString(part["url"]);
  const mediaType = asString(part["mime"]);
  const name = asString(part["filename"]);
  if (url === undefined) return { type: "opaque", from: "opencode", value: part };
  const source = sourceOf(url);
  const named = name === undefined ? {} : { name };
  if (mediaType?.startsWith("image/")) return { type: "image", mediaType, source, ...named };
  return { type: "file", ...(mediaType === undefined ? {} : { mediaType }), source, ...named };
}

function sourceOf(url: string): Source {
  const head = dataUrl.exec(url);
  if (head?.[2] !== undefined) return { kind: "base64", data: url.slice(head[0].length) };
  const path = url.startsWith("file://") ? pathOf(url) : undefined;
  return path === undefined ? { kind: "url", url } : { kind: "path", path };
}

function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    return undefined;
  }
}

/** Whether the program sends a file part; plain text and folders it has turned into text parts. */
export function isSentFile(part: JsonObject): boolean {
  return part["mime"] !== "text/plain" && part["mime"] !== "application/x-directory";
}
