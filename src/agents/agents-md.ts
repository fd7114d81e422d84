import { join } from "node:path";
import type { AgentMemories } from "./memories-contract.ts";
import { foldersHere } from "./project-folders.ts";

/** `AGENTS.md` of a project, which many agents read and none of them owns. */
export const agentsMd: AgentMemories = {
  pages: (scope, env) => (scope === "user" ? [] : agentsPages(env)),
  publish: {
    page: (scope, env) => (scope === "user" ? undefined : agentsPages(env).at(-1)),
  },
};

function agentsPages(env: Parameters<typeof foldersHere>[0]): readonly string[] {
  return foldersHere(env).map((folder) => join(folder, "AGENTS.md"));
}
