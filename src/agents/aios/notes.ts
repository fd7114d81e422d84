import { smallFile } from "../../base/folders.ts";
import { asString, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { filled, type Sections } from "../../model/note-sections.ts";
import type { AgentNotes } from "../notes-contract.ts";
import { folderNames, statePath } from "./places.ts";
import { type AiosState, stateIn } from "./state.ts";

/** Where the agents of AIOS, or AIOX, left their work in a project. */
export const notes: AgentNotes = {
  of: (project) => {
    for (const folder of folderNames) {
      const path = statePath(project, folder);
      const { state } = stateIn(smallFile(path, limits.ledgerBytes) ?? "") ?? {};
      if (state?.lastMs === undefined) continue;
      const from = folder === ".aiox" ? "aiox" : "aios";
      return { from, path, atMs: state.lastMs, sections: sectionsOf(state) };
    }
    return undefined;
  },
};

function sectionsOf({ tasks, workflow, workflowState, agents, story }: AiosState): Sections {
  const named = (success: boolean): readonly string[] =>
    tasks.filter((task) => (task["success"] !== false) === success).flatMap(taskName);
  const ids = agents.flatMap((agent) => asString(agent["agentId"]) ?? []);
  return filled({
    done: named(true),
    questions: named(false).map((name) => `Failed: ${name}`),
    notes: [
      ...(workflow === undefined ? [] : [`Workflow ${workflow}: ${workflowState ?? "begun"}`]),
      ...(ids.length === 0 ? [] : [`Agents so far: ${ids.slice(-20).join(", ")}`]),
    ],
    files: story === undefined ? [] : [story],
  });
}

function taskName(task: JsonObject): readonly string[] {
  const name = asString(task["task"]);
  const agent = asString(task["agentId"]);
  return name === undefined ? [] : [agent === undefined ? name : `${name} (${agent})`];
}
