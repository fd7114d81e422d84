import { asNumber, asString, isObject, type JsonObject, parseObject } from "../../base/json.ts";
import type { Usage } from "../../model/usage.ts";

/** A session as the database's row or the JSON file states it, in one shape. */
export interface SessionInfo {
  readonly id: string;
  readonly title?: string;
  readonly version?: string;
  readonly directory?: string;
  readonly projectId?: string;
  /** The project's folder. */
  readonly worktree?: string;
  readonly parentId?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly usage?: Usage;
  readonly createdMs?: number;
  readonly updatedMs?: number;
  readonly revert?: { readonly messageId: string; readonly partId?: string };
  /** The row or file as it is, without permissions and secrets. */
  readonly native: JsonObject;
}

/** Columns of the `session` table that are read where they exist; most are younger than 1.2. */
export const sessionColumns = [
  "id",
  "project_id",
  "parent_id",
  "slug",
  "directory",
  "path",
  "title",
  "version",
  "metadata",
  "cost",
  "tokens_input",
  "tokens_output",
  "tokens_reasoning",
  "tokens_cache_read",
  "tokens_cache_write",
  "revert",
  "agent",
  "model",
  "time_created",
  "time_updated",
  "time_compacting",
  "time_archived",
] as const;

/** A row of the `session` table; `worktree` comes from its project. */
export function sessionOfRow(row: JsonObject): SessionInfo | undefined {
  const id = asString(row["id"]);
  if (id === undefined) return undefined;
  const model = objectOf(row["model"]);
  const revert = objectOf(row["revert"]);
  const usage = usageOfRow(row);
  return compact<SessionInfo>({
    id,
    title: titleOf(row["title"]),
    version: asString(row["version"]),
    directory: asString(row["directory"]),
    projectId: asString(row["project_id"]),
    worktree: asString(row["worktree"]),
    parentId: asString(row["parent_id"]),
    agent: asString(row["agent"]),
    model: asString(model?.["id"]) ?? asString(model?.["modelID"]),
    usage,
    createdMs: asNumber(row["time_created"]),
    updatedMs: asNumber(row["time_updated"]),
    revert: revertOf(revert),
    native: row,
  });
}

/** The object of a session file of the older JSON trees. */
export function sessionOfFile(file: JsonObject, place: { readonly id: string }): SessionInfo {
  const time = objectOf(file["time"]);
  const { permission: _permission, share: _share, ...native } = file;
  return compact<SessionInfo>({
    id: place.id,
    title: titleOf(file["title"]),
    version: asString(file["version"]),
    directory: asString(file["directory"]),
    projectId: asString(file["projectID"]),
    parentId: asString(file["parentID"]),
    createdMs: asNumber(time?.["created"]),
    updatedMs: asNumber(time?.["updated"]),
    revert: revertOf(objectOf(file["revert"])),
    native,
  });
}

/** Tokens and cost of a step or message; undefined where nothing is stated. */
export function usageOf(stated: JsonObject): Usage | undefined {
  const tokens = objectOf(stated["tokens"]);
  const cache = objectOf(tokens?.["cache"]);
  return usage({
    input: asNumber(tokens?.["input"]),
    output: asNumber(tokens?.["output"]),
    reasoning: asNumber(tokens?.["reasoning"]),
    cacheRead: asNumber(cache?.["read"]),
    cacheWrite: asNumber(cache?.["write"]),
    cost: asNumber(stated["cost"]),
  });
}

function usageOfRow(row: JsonObject): Usage | undefined {
  return usage({
    input: asNumber(row["tokens_input"]),
    output: asNumber(row["tokens_output"]),
    reasoning: asNumber(row["tokens_reasoning"]),
    cacheRead: asNumber(row["tokens_cache_read"]),
    cacheWrite: asNumber(row["tokens_cache_write"]),
    cost: asNumber(row["cost"]),
  });
}

function usage(fields: Readonly<Record<keyof Usage, number | undefined>>): Usage | undefined {
  const stated = compact<Usage>(fields);
  const { cost: _cost, ...tokens } = stated;
  return Object.values(tokens).some((count) => count > 0) ? stated : undefined;
}

const placeholderTitle = /^(New|Child) session - \d{4}-\d\d-\d\dT/;

/** A title somebody chose; the one a session is born with says only when. */
function titleOf(title: unknown): string | undefined {
  const text = asString(title);
  return text === undefined || text.trim() === "" || placeholderTitle.test(text) ? undefined : text;
}

function revertOf(revert: JsonObject | undefined): SessionInfo["revert"] {
  const messageId = asString(revert?.["messageID"]);
  if (messageId === undefined) return undefined;
  const partId = asString(revert?.["partID"]);
  return partId === undefined ? { messageId } : { messageId, partId };
}

/** A JSON object given as itself or as text. */
export function objectOf(value: unknown): JsonObject | undefined {
  if (typeof value === "string") return parseObject(value);
  return isObject(value) ? value : undefined;
}

/** Epoch milliseconds as the log writes times; undefined where they are no time. */
export function isoOf(ms: unknown): string | undefined {
  const number = asNumber(ms);
  if (number === undefined || Math.abs(number) > 8.64e15) return undefined;
  return new Date(number).toISOString();
}

/** The object without its undefined fields. */
export function compact<T>(fields: { readonly [K in keyof T]: T[K] | undefined }): T {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as T;
}
