import { asString, isObject, type JsonObject } from "../../base/json.ts";
import type { UnknownCounts } from "../batches.ts";

/** What a line of a session file is, in the program's own order of test. */
export type RecordKind =
  | { readonly kind: "rewind"; readonly to: string }
  | { readonly kind: "message"; readonly id: string }
  | { readonly kind: "set"; readonly fields: JsonObject }
  | { readonly kind: "header" }
  | { readonly kind: "unknown" };

/** Says what a record is. */
export function kindOf(record: JsonObject): RecordKind {
  const to = asString(record["$rewindTo"]);
  if (to !== undefined) return { kind: "rewind", to };
  const id = asString(record["id"]);
  if (id !== undefined) return { kind: "message", id };
  const fields = record["$set"];
  if (isObject(fields)) return { kind: "set", fields };
  if (typeof record["sessionId"] === "string" && typeof record["projectHash"] === "string") {
    return { kind: "header" };
  }
  return { kind: "unknown" };
}

/** Says a record from an object inside one: a tool call has an id too, but neither type nor time. */
export function isRecord(candidate: JsonObject): boolean {
  const { kind } = kindOf(candidate);
  if (kind !== "message") return kind !== "unknown";
  return typeof candidate["type"] === "string" && typeof candidate["timestamp"] === "string";
}

const messageTypes: ReadonlySet<unknown> = new Set(["user", "gemini", "info", "warning", "error"]);
const messageFields: ReadonlySet<string> = new Set(
  "id timestamp type content displayContent thoughts tokens model toolCalls".split(" "),
);
const callFields: ReadonlySet<string> = new Set(
  "id name args result status timestamp resultDisplay displayName description renderOutputAsMarkdown agentId".split(
    " ",
  ),
);
const setFields: ReadonlySet<string> = new Set(
  "messages lastUpdated sessionId summary memoryScratchpad directories projectHash startTime kind repriseOrigin".split(
    " ",
  ),
);

/** Counts the unknown type and fields of a message. */
export function countUnknownIn(message: JsonObject, counts: UnknownCounts): void {
  const { type, toolCalls } = message;
  if (!messageTypes.has(type)) counts.add(`message ${String(type).slice(0, 64)}`);
  for (const field in message) {
    if (!messageFields.has(field)) counts.add(`message field ${field.slice(0, 64)}`);
  }
  if (!Array.isArray(toolCalls)) return;
  for (const call of toolCalls) {
    if (!isObject(call)) continue;
    for (const field in call) {
      if (!callFields.has(field)) counts.add(`tool call field ${field.slice(0, 64)}`);
    }
  }
}

/** Counts the unknown fields of a `$set`. */
export function countUnknownInSet(fields: JsonObject, counts: UnknownCounts): void {
  for (const field in fields) {
    if (!setFields.has(field)) counts.add(`$set ${field.slice(0, 64)}`);
  }
}

/** Whether a `$set` says something worth an event. */
export function hasMeta(fields: JsonObject): boolean {
  return ["summary", "memoryScratchpad", "directories"].some((name) => fields[name] !== undefined);
}
