import { join } from "node:path";
import type { AgentInstall } from "../../hooks-contract.ts";
import { rootOf } from "../roots.ts";

/** Seconds; ours takes a tenth of one. */
const timeout = 5;

/** How hooks and commands are put into Claude Code's folders. */
export const install: AgentInstall = {
  recipe: {
    form: "json-hooks",
    file: (scope, env) =>
      scope === "project"
        ? join(env.cwd, ".claude", "settings.local.json")
        : join(rootOf(env), "settings.json"),
    entries: [
      { event: "SessionStart", timeout },
      { event: "UserPromptSubmit", timeout },
      // Only what changes files: before anything else there is nothing to keep.
      { event: "PreToolUse", matcher: "Write|Edit|MultiEdit|NotebookEdit|Bash", timeout },
      { event: "PostToolUse", matcher: "*", timeout },
      { event: "PostToolUseFailure", matcher: "*", timeout },
      { event: "PreCompact", timeout },
      { event: "SubagentStart", timeout },
      { event: "SubagentStop", timeout },
      { event: "Stop", timeout },
      { event: "SessionEnd", timeout },
    ],
  },
  slash: {
    typed: (name) => `/reprise:${name}`,
    folder: (scope, env) =>
      join(scope === "project" ? join(env.cwd, ".claude") : rootOf(env), "commands", "reprise"),
    ending: "md",
    given: "$ARGUMENTS",
  },
};
