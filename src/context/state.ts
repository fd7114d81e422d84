import type { SessionEvent } from "../model/event.ts";
import { branchAfter } from "./branch-change.ts";
import { failureOf } from "./touched.ts";

/** What follows the path besides the conversation: the newest word on each counts. */
export interface PathState {
  readonly model?: string;
  readonly cwd?: string;
  readonly branch?: string;
  /** Whether nothing was said of the branch since the session began. */
  readonly isFirstBranch?: boolean;
}

/** The model, directory and branch at the end of a path. */
export function stateOf(path: readonly SessionEvent[]): PathState {
  const state: { model?: string; cwd?: string; branch?: string; isFirstBranch?: boolean } = {};
  const branches = new Set<string>();
  const underWay = new Map<string, string>();
  const goTo = (branch: string): void => {
    state.isFirstBranch = branches.size === 0;
    branches.add(branch);
    state.branch = branch;
  };
  for (const event of path) {
    switch (event.type) {
      case "session_start":
      case "meta":
        if (event.model !== undefined) state.model = event.model;
        if (event.cwd !== undefined) state.cwd = event.cwd;
        if (event.git?.branch !== undefined) goTo(event.git.branch);
        break;
      case "assistant":
      case "thinking":
      case "tool_use":
        if (event.model !== undefined && !("synthetic" in event && event.synthetic)) {
          state.model = event.model;
        }
        if (event.type === "tool_use") {
          const branch = branchAfter(event, branches);
          if (branch !== undefined) underWay.set(event.call, branch);
        }
        break;
      case "tool_result": {
        const branch = underWay.get(event.call);
        underWay.delete(event.call);
        if (branch !== undefined && failureOf(event) === undefined) goTo(branch);
        break;
      }
    }
  }
  return state;
}
