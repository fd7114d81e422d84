import { asNumber, asString, isObject, type JsonObject } from "../../base/json.ts";
import type { GitState } from "../../model/event.ts";

/** A record of a rollout: the parts of it that every reader needs. */
export interface RolloutRecord {
  readonly type: string;
  readonly payload: JsonObject;
  /** The type of the payload; empty where it has none. */
  readonly inner: string;
  readonly ordinal: number | undefined;
  readonly at: string | undefined;
  readonly native: JsonObject;
}

/** Says a record from an object that only lay inside one. */
export function isRecord(candidate: JsonObject): boolean {
  return typeof candidate["type"] === "string" && "payload" in candidate;
}

/** A parsed line as a record; undefined if it has no type and payload. */
export function recordOf(native: JsonObject): RolloutRecord | undefined {
  const type = asString(native["type"]);
  const payload = native["payload"];
  if (type === undefined || !isObject(payload)) return undefined;
  const ordinal = asNumber(native["ordinal"]);
  return {
    type,
    payload,
    inner: asString(payload["type"]) ?? "",
    ordinal: ordinal !== undefined && Number.isSafeInteger(ordinal) ? ordinal : undefined,
    at: asString(native["timestamp"]),
    native,
  };
}

/** Whether a record says how many tokens the thread has taken. */
export function isTokenReport({ type, inner }: Pick<RolloutRecord, "type" | "inner">): boolean {
  return type === "token_usage_record" || (type === "event_msg" && inner === "token_count");
}

/** Git's state as Codex wrote it. */
export function gitOf(git: JsonObject): GitState {
  const branch = asString(git["branch"]);
  const commit = asString(git["commit_hash"]);
  const remote = asString(git["repository_url"]);
  // Assigned one by one: a list makes a thousand of these.
  const state: { -readonly [Key in keyof GitState]: GitState[Key] } = {};
  if (branch !== undefined) state.branch = branch;
  if (commit !== undefined) state.commit = commit;
  if (remote !== undefined) state.remote = remote;
  return state;
}
