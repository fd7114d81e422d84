import { join } from "node:path";
import type { AgentInstall } from "../../hooks-contract.ts";
import { geminiRoot } from "../roots.ts";

/** Milliseconds. */
const timeout = 5_000;

/** How hooks and commands are put into Gemini CLI's folders. */
export const install: AgentInstall = {
  recipe: {
    form: "json-hooks",
    file: (scope, env) =>
      join(scope === "project" ? join(env.cwd, ".gemini") : geminiRoot(env), "settings.json"),
    entries: [
      { event: "SessionStart", timeout },
      { event: "BeforeAgent", timeout },
      { event: "BeforeTool", matcher: "write_file|replace|run_shell_command", timeout },
      { event: "AfterTool", matcher: ".*", timeout },
      { event: "AfterAgent", timeout },
      // Without a word for when, it fires before every request.
      { event: "PreCompress", matcher: "manual", timeout },
      { event: "SessionEnd", timeout },
    ],
  },
  slash: {
    typed: (name) => `/reprise:${name}`,
    folder: (scope, env) =>
      join(scope === "project" ? join(env.cwd, ".gemini") : geminiRoot(env), "commands", "reprise"),
    ending: "toml",
    given: "{{args}}",
  },
};
