import { join } from "node:path";
import { timeOf } from "../../base/clock.ts";
import { smallFile } from "../../base/folders.ts";
import { asString, isObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { type ForeignNotes, filled } from "./found.ts";

/** What SYNAPSE knows of one session of a project; undefined where it knows nothing. */
export function synapse(project: string, session: string): ForeignNotes | undefined {
  if (!/^[\w-]{1,128}$/.test(session)) return undefined;
  const path = join(project, ".synapse", "sessions", `${session}.json`);
  const state = parseObject(smallFile(path, limits.ledgerBytes) ?? "");
  if (state?.["schema_version"] !== "2.0") return undefined;
  const named = (key: string): string | undefined => {
    const value = state[key];
    return (
      asString(value) ??
      (isObject(value) ? (asString(value["id"]) ?? asString(value["name"])) : undefined)
    );
  };
  const title = asString(state["title"]);
  const agent = named("active_agent");
  const workflow = named("active_workflow");
  const task = named("active_task");
  return {
    from: "synapse",
    path,
    atMs: timeOf(state["last_activity"]) ?? 0,
    sections: filled({
      goal: title === undefined ? [] : [title],
      now: task === undefined ? [] : [task],
      notes: [
        ...(agent === undefined ? [] : [`Active agent: ${agent}`]),
        ...(workflow === undefined ? [] : [`Workflow ${workflow}`]),
      ],
    }),
  };
}
