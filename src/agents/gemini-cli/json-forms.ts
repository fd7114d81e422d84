import { basename } from "node:path";
import type { ByteWindow } from "../../base/byte-window.ts";
import { type JsonObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { findArray } from "../../json/array-elements.ts";

/** How a file that is one JSON value holds its messages. */
export interface JsonForm {
  /** Where the list may stand. */
  readonly paths: readonly string[];
  /** How an element begins: where reading goes on after a damaged one. */
  readonly shape: RegExp;
  /** An element as the message the other readers know. */
  readonly message: (element: JsonObject, ordinal: number) => JsonObject;
  /** Everything is replayed, as `/chat resume` does. */
  readonly replayAll: boolean;
}

/** Sessions up to 0.38: one object that the program rewrote whole. */
export const sessionForm: JsonForm = {
  paths: ["messages"],
  shape: /^\{\s*"id"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"(timestamp|type)"\s*:/,
  message: (element) => element,
  replayAll: false,
};

/** `/chat save`: turns as the model gets them, in an object or, up to 0.5, bare. */
export const checkpointForm: JsonForm = {
  paths: ["history", ""],
  shape: /^\{\s*"(role"\s*:\s*"(user|model)"|parts"\s*:\s*\[)/,
  message: (element, ordinal) => ({
    id: `${ordinal}`,
    type: element["role"] === "model" ? "gemini" : "user",
    content: element["parts"] ?? [],
  }),
  replayAll: true,
};

/** Whether a file is a conversation saved with `/chat save`. */
export function isSavedChat(path: string): boolean {
  return basename(path).startsWith("checkpoint-");
}

/** The fields of the object around the messages, as far as they stand before them. */
export function headerOf(window: ByteWindow, form: JsonForm): JsonObject | undefined {
  const begin = findArray(window, { from: 0, paths: form.paths });
  const text = window.range(0, Math.min(begin ?? window.end, limits.headBytesMax)).toString();
  const header = begin === undefined ? parseObject(text) : parseObject(`${text}]}`);
  return typeof header?.["sessionId"] === "string" ? header : undefined;
}
