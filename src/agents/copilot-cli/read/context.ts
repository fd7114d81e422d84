import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { GitState } from "../../../model/event.ts";

/** Where a session ran, as its first record, a resume or a change of place states it. */
export interface Context {
  readonly cwd?: string;
  readonly git?: GitState;
}

/** The folder and git's state in a record's data. */
export function contextOf(data: JsonObject): Context {
  const context = isObject(data["context"]) ? data["context"] : data;
  const cwd = asString(context["cwd"]);
  const branch = asString(context["branch"]);
  const commit = asString(context["headCommit"]);
  const git = { ...(branch !== undefined && { branch }), ...(commit !== undefined && { commit }) };
  return {
    ...(cwd !== undefined && { cwd }),
    ...(Object.keys(git).length > 0 && { git }),
  };
}
