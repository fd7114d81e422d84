import { join } from "node:path";
import type { AgentInstall } from "../../hooks-contract.ts";
import { configRoot } from "../roots.ts";
import { pluginText } from "./plugin-text.ts";

/** How our plugin and our commands are put into OpenCode's folders. */
export const install: AgentInstall = {
  recipe: {
    form: "plugin",
    file: (scope, env) =>
      join(
        scope === "project" ? join(env.cwd, ".opencode") : configRoot(env),
        "plugin",
        "reprise.js",
      ),
    text: pluginText,
  },
  slash: {
    typed: (name) => `/reprise/${name}`,
    folder: (scope, env) =>
      join(
        scope === "project" ? join(env.cwd, ".opencode") : configRoot(env),
        "commands",
        "reprise",
      ),
    ending: "md",
    given: "$ARGUMENTS",
  },
};
