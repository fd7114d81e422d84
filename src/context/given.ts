import { asArray, isObject } from "../base/json.ts";
import type { EventId } from "../model/event.ts";
import type { GivenBlock } from "./messages.ts";
import type { Remarks } from "./remarks.ts";

/** The blocks of a content that a model may see; the rest is remarked on. */
export function givenBlocks(content: unknown, event: EventId, remarks: Remarks): GivenBlock[] {
  // Most contents are one text.
  if (typeof content === "string")
    return hasWords(content) ? [{ type: "text", text: content }] : [];
  const blocks: GivenBlock[] = [];
  for (const item of Array.isArray(content) ? content : [content]) {
    const block = givenBlock(item, { event, remarks });
    if (block === undefined) remarks.add("opaque_block", event);
    else if (block.type !== "text" || hasWords(block.text)) blocks.push(block);
  }
  return blocks;
}

/** Whether a text is more than blanks. */
export function hasWords(text: string): boolean {
  return /\S/.test(text);
}

function givenBlock(
  item: unknown,
  { event, remarks }: { readonly event: EventId; readonly remarks: Remarks },
): GivenBlock | undefined {
  if (typeof item === "string") return { type: "text", text: item };
  if (!isObject(item)) return undefined;
  // A long string that nobody loaded is named, so that the model knows of the gap.
  const held = item["type"] === "text" ? item["text"] : item;
  if (isObject(held) && typeof held["blob"] === "string" && typeof held["size"] === "number") {
    remarks.add("content_not_loaded", event);
    return { type: "text", text: `[${held["size"]} bytes that were not loaded]` };
  }
  if (item["type"] === "text") {
    return typeof item["text"] === "string" ? { type: "text", text: item["text"] } : undefined;
  }
  const isMedia = item["type"] === "image" || item["type"] === "file";
  return isMedia && isSource(item["source"]) ? (item as unknown as GivenBlock) : undefined;
}

function isSource(source: unknown): boolean {
  if (!isObject(source)) return false;
  switch (source["kind"]) {
    case "base64":
      return typeof source["data"] === "string";
    case "blob":
      return isObject(source["blob"]) && typeof source["blob"]["size"] === "number";
    case "url":
      return typeof source["url"] === "string";
    case "path":
      return typeof source["path"] === "string";
    default:
      return false;
  }
}

/** The text of a content whose shape nobody vouches for. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content.trim();
  const texts = asArray(content).map((block) => (isObject(block) ? block["text"] : undefined));
  return texts
    .filter((text) => typeof text === "string")
    .join("\n")
    .trim();
}
