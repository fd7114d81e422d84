import { join } from "node:path";
import { smallFile } from "../../base/folders.ts";
import { asArray, asNumber, asString, isObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { type ForeignNotes, filled } from "./found.ts";

/** Where the agents of AIOS, or AIOX, left their work in a project; undefined where they were never there. */
export function aios(project: string): ForeignNotes | undefined {
  for (const folder of [".aiox", ".aios"]) {
    const path = join(project, folder, "session-state.json");
    const state = parseObject(smallFile(path, limits.ledgerBytes) ?? "");
    const atMs = asNumber(state?.["lastActivity"]);
    // A file that came with the program has other keys and says nothing.
    if (state === undefined || atMs === undefined) continue;
    const workflow = asString(state["workflowActive"]);
    const agents = asArray(state["agentSequence"]).flatMap((entry) =>
      isObject(entry) ? (asString(entry["agentId"]) ?? []) : [],
    );
    const tasks = asArray(state["taskHistory"]).filter(isObject);
    const story = asString(state["currentStory"]);
    const named = (success: boolean): readonly string[] =>
      tasks
        .filter((task) => (task["success"] !== false) === success)
        .flatMap((task) => {
          const name = asString(task["task"]);
          const agent = asString(task["agentId"]);
          return name === undefined ? [] : [agent === undefined ? name : `${name} (${agent})`];
        });
    const sections = filled({
      done: named(true),
      questions: named(false).map((name) => `Failed: ${name}`),
      notes: [
        ...(workflow === undefined
          ? []
          : [`Workflow ${workflow}: ${asString(state["workflowState"]) ?? "begun"}`]),
        ...(agents.length === 0 ? [] : [`Agents so far: ${agents.slice(-20).join(", ")}`]),
      ],
      files: story === undefined ? [] : [story],
    });
    return { from: folder === ".aiox" ? "aiox" : "aios", path, atMs, sections };
  }
  return undefined;
}
