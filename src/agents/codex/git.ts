import { asString, type JsonObject } from "../../base/json.ts";
import type { GitState } from "../../model/event.ts";

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
