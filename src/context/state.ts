import type { SessionEvent } from "../model/event.ts";

/** What follows the path besides the conversation: the newest word on each counts. */
export interface PathState {
  readonly model?: string;
  readonly cwd?: string;
  readonly branch?: string;
}

/** The model, directory and branch at the end of a path. */
export function stateOf(path: readonly SessionEvent[]): PathState {
  const state: { model?: string; cwd?: string; branch?: string } = {};
  for (const event of path) {
    switch (event.type) {
      case "session_start":
      case "meta":
        if (event.model !== undefined) state.model = event.model;
        if (event.cwd !== undefined) state.cwd = event.cwd;
        if (event.git?.branch !== undefined) state.branch = event.git.branch;
        break;
      case "assistant":
      case "thinking":
      case "tool_use":
        if (event.model !== undefined && !("synthetic" in event && event.synthetic)) {
          state.model = event.model;
        }
        break;
    }
  }
  return state;
}
