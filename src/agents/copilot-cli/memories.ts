import { join } from "node:path";
import type { AgentMemories } from "../memories-contract.ts";
import { foldersHere } from "../project-folders.ts";
import { copilotRoot } from "./roots.ts";

const page = "copilot-instructions.md";

/** Where Copilot CLI's own memories lie: instructions of the user and of the project. */
export const memories: AgentMemories = {
  pages: (scope, env) =>
    scope === "user"
      ? [join(copilotRoot(env), page)]
      : foldersHere(env).flatMap((folder) => [
          join(folder, ".github", page),
          join(folder, "AGENTS.md"),
        ]),
};
