import { asString, type JsonObject } from "../../base/json.ts";
import type { GitState } from "../../model/event.ts";

/** Git's state as Codex wrote it. */
export function gitOf(git: JsonObject): GitState {
  const branch = asString(git["branch"]);
  const commit = asString(git["commit_hash"]);
  const remote = asString(git["repository_url"]);
  return {
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit }),
    ...(remote !== undefined && { remote }),
  };
}
