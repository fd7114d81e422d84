import { asNumber, asString, isObject, type JsonObject } from "../../base/json.ts";
import type { Damage } from "../../model/damage.ts";

/** The entry types pi writes, besides the header: `usage` and `context_edit` since 0.87. */
export const entryTypes: ReadonlySet<string> = new Set([
  "message",
  "model_change",
  "thinking_level_change",
  "compaction",
  "branch_summary",
  "custom",
  "custom_message",
  "label",
  "session_info",
  "usage",
  "context_edit",
]);

/** Whether an object found inside a damaged line is a record of its own and not a part of one. */
export function acceptsRecord(candidate: JsonObject): boolean {
  const type = asString(candidate["type"]);
  if (type === undefined || asString(candidate["timestamp"]) === undefined) return false;
  if (type === "session") return asString(candidate["id"]) !== undefined;
  if (type === "message") return isObject(candidate["message"]);
  return (
    entryTypes.has(type) || (asString(candidate["id"]) !== undefined && "parentId" in candidate)
  );
}

/** Whether a record is a header; headers are no part of the tree, wherever they stand. */
export function isHeader(record: JsonObject): boolean {
  return record["type"] === "session";
}

/** Whether pi takes this record, the first it can parse, for the header of a session. */
export function isSoundHeader(record: JsonObject | undefined): boolean {
  return record !== undefined && isHeader(record) && asString(record["id"]) !== undefined;
}

/** Whether entries have no ids and simply follow each other, as format 1 had it. */
export function isLinear(header: JsonObject | undefined): boolean {
  return header !== undefined && Number(header["version"] ?? 1) < 2;
}

/** Whether a record is a message with pi's own instructions: a compaction replaces those before it. */
export function isSystemMessage(record: JsonObject): boolean {
  const { message } = record;
  return record["type"] === "message" && isObject(message) && message["role"] === "system";
}

/** What an entry is found by: its id, or undefined if it has none. */
export function keyOf(id: unknown): string | undefined {
  if (typeof id === "number") return id === 0 ? undefined : `#${id}`;
  return asString(id) || undefined;
}

/** The key of the first entry a compaction keeps. */
export function keptKeyOf(record: JsonObject, options: { readonly linear: boolean }) {
  if (!options.linear) return keyOf(record["firstKeptEntryId"]);
  const index = asNumber(record["firstKeptEntryIndex"]);
  return index === undefined ? undefined : linearKey(index);
}

/** The key of an entry in a linear file: its place among all records, the header being 0. */
export function linearKey(index: number): string {
  return `@${index}`;
}

/** What is reported a type nobody knows: short, so that a hostile file cannot fill a report. */
export function unknownName(record: JsonObject): string {
  const type = asString(record["type"]) ?? "(no type)";
  if (type !== "message") return type.slice(0, 64);
  const message = record["message"];
  const role = isObject(message) ? asString(message["role"]) : undefined;
  return `message:${(role ?? "(no role)").slice(0, 64)}`;
}

/** What is reported where the first record is not a header. */
export const badHeader: Damage = {
  kind: "bad_header",
  offset: 0,
  recovered: 0,
  detail:
    "The first record is not a header: pi takes the file for empty and overwrites it on opening.",
};
