import { asString, type JsonObject } from "../../../base/json.ts";
import type { Content } from "../../../model/block.ts";
import { contentOf as contentOfParts, partsOf } from "../../gemini-parts.ts";

/** The text of parts as the program's resume rules look at it; what is not text stands as a mark. */
export function textOfParts(parts: readonly JsonObject[]): string {
  return parts.map((part) => asString(part["text"]) ?? "[part]").join("");
}

/** The text that the screen shows for a message: its `displayContent` where it has one. */
export function shownText(message: JsonObject): string {
  const shown = partsOf(message["displayContent"] ?? message["content"]);
  return shown.map((part) => asString(part["text"]) ?? "").join("");
}

/** Parts as content. */
export function contentOf(parts: readonly JsonObject[]): Content {
  return contentOfParts(parts, { from: "gemini-cli" });
}
