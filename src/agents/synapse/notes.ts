import { join } from "node:path";
import { timeOf } from "../../base/clock.ts";
import { smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { filled } from "../../model/note-sections.ts";
import type { AgentNotes } from "../notes-contract.ts";
import { sessionsIn } from "./places.ts";
import { stateIn } from "./state.ts";

/** What SYNAPSE knows of one session of a project. */
export const notes: AgentNotes = {
  of: (project, { session }) => {
    if (!/^[\w-]{1,128}$/.test(session)) return undefined;
    const path = join(sessionsIn(project), `${session}.json`);
    const { state } = stateIn(smallFile(path, limits.ledgerBytes) ?? "") ?? {};
    if (state === undefined) return undefined;
    const { title, agent, workflow, task } = state;
    const sections = filled({
      goal: title === undefined ? [] : [title],
      now: task === undefined ? [] : [task],
      notes: [
        ...(agent === undefined ? [] : [`Active agent: ${agent}`]),
        ...(workflow === undefined ? [] : [`Workflow ${workflow}`]),
      ],
    });
    return { from: "synapse", path, atMs: timeOf(state.lastActivity) ?? 0, sections };
  },
};
