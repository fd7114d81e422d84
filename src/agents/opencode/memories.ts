import { join } from "node:path";
import type { AgentMemories } from "../memories-contract.ts";
import { foldersHere } from "../project-folders.ts";
import { configRoot } from "./roots.ts";

/** Where OpenCode's own memories lie: the same pages as others have, and one of the user. */
export const memories: AgentMemories = {
  pages: (scope, env) =>
    scope === "user"
      ? [join(configRoot(env), "AGENTS.md")]
      : foldersHere(env).map((folder) => join(folder, "AGENTS.md")),
};
