import { join } from "node:path";
import { fileStat, namesIn } from "../../base/folders.ts";
import type { AgentMemories } from "../memories-contract.ts";
import { foldersHere } from "../project-folders.ts";
import { codexHome } from "./roots.ts";

/** Of a folder it reads the first of these that is there. */
const pageNames = ["AGENTS.override.md", "AGENTS.md"] as const;

/** Where Codex's own memories lie: its instructions, and what it wrote down by itself about all projects. */
export const memories: AgentMemories = {
  pages: (scope, env) => {
    if (scope === "project")
      return foldersHere(env).flatMap((folder) => pageNames.map((name) => join(folder, name)));
    const home = codexHome(env);
    const kept = join(home, "memories");
    const notes = join(kept, "extensions", "ad_hoc", "notes");
    return [
      ...pageNames.map((name) => join(home, name)),
      join(kept, "memory_summary.md"),
      join(kept, "MEMORY.md"),
      ...namesIn(notes)
        .filter((name) => name.endsWith(".md"))
        .map((name) => join(notes, name)),
    ];
  },
  publish: {
    page: (scope, env) => {
      const folder = scope === "user" ? codexHome(env) : (foldersHere(env).at(-1) ?? env.cwd);
      const [first, usual] = pageNames.map((name) => join(folder, name));
      return fileStat(first!) === undefined ? usual : first;
    },
  },
};
