import { fileURLToPath } from "node:url";
import type { ByteWindow } from "../../base/byte-window.ts";
import { asArray, asString, isObject, type JsonObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { findArray } from "../../json/array-elements.ts";
import { momentIn } from "../../model/usage-counts.ts";

/** Where an image without a name says it comes from: the program demands that it says so. */
export const unnamedImage = "image";

/** Where the messages of a thread stand, and how one begins. */
export const messagesForm = {
  paths: ["messages"],
  shape: /^\{\s*"(?:role"\s*:\s*"|messageId"\s*:\s*\d)/,
} as const;

/** What follows the messages is looked at so far from the end. */
const tailLook = limits.tailBytes * 16;

/** What a thread says of itself around its messages. */
export function outerFields(window: ByteWindow): JsonObject {
  if (window.end <= tailLook) {
    const whole = parseObject(window.range(0, window.end).toString());
    if (whole !== undefined) return whole;
  }
  const begin = findArray(window, { from: 0, paths: messagesForm.paths });
  const before = window.range(0, Math.min(begin ?? window.end, limits.headBytesMax)).toString();
  const from = Math.max(0, window.end - tailLook);
  const tail = window.range(from, window.end - from).toString();
  // The program writes two spaces before the fields of the thread, and more before all that is inside them.
  const end = tail.lastIndexOf('\n  ],\n  "');
  const after = end < 0 ? undefined : parseObject(`{${tail.slice(end + "\n  ],".length)}`);
  return { ...after, ...parseObject(begin === undefined ? before : `${before}]}`) };
}

/** The folder a thread ran in. */
export function folderOf(fields: JsonObject): string | undefined {
  const uri = asString(treeOf(fields)?.["uri"]);
  if (uri === undefined || !uri.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

function initialOf(fields: JsonObject): JsonObject {
  const { env } = fields;
  return isObject(env) && isObject(env["initial"]) ? env["initial"] : {};
}

function treeOf(fields: JsonObject): JsonObject | undefined {
  return asArray(initialOf(fields)["trees"]).find(isObject);
}

/** The build of the program that began a thread. */
export function versionOf(fields: JsonObject): string | undefined {
  const { platform } = initialOf(fields);
  return isObject(platform) ? asString(platform["clientVersion"]) : undefined;
}

/** The model a thread was begun with. */
export function modelOf(fields: JsonObject): string | undefined {
  const tags = asArray(initialOf(fields)["tags"]).flatMap((tag) => asString(tag) ?? []);
  return tags.find((tag) => tag.startsWith("model:"))?.slice("model:".length);
}

/** The content blocks of a message. */
export function blocksIn(message: JsonObject): readonly JsonObject[] {
  return asArray(message["content"]).filter(isObject);
}

/** The summary that stands for everything before a message; undefined if it holds none. */
export function summaryIn(message: JsonObject): string | undefined {
  if (message["role"] !== "info") return undefined;
  for (const { type, summary } of blocksIn(message)) {
    if (type === "summary" && isObject(summary)) return asString(summary["summary"]);
  }
  return undefined;
}

/** When a message was made, in milliseconds. */
export function momentOf(message: JsonObject): number | undefined {
  const { meta, usage } = message;
  const sent = isObject(meta) ? msOf(meta["sentAt"]) : undefined;
  return sent ?? (isObject(usage) ? msOf(usage["timestamp"]) : undefined);
}

/** A time as the program writes it, a number or a text, in milliseconds. */
export function msOf(value: unknown): number | undefined {
  const ms = momentIn(value);
  return Number.isNaN(ms) ? undefined : ms;
}
