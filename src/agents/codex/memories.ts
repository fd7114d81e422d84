import { join } from "node:path";
import { fileStat, namesIn } from "../../base/folders.ts";
import type { AgentMemories } from "../memories-contract.ts";
import { foldersHere } from "../project-folders.ts";
import { codexHome } from "./roots.ts";

/** Where Codex's own memories lie: its instructions, and what it wrote down by itself about all projects. */
export const memories: AgentMemories = {
  pages: (scope, env) => {
    if (scope === "project") return foldersHere(env).map(pageIn);
    const home = codexHome(env);
    const kept = join(home, "memories");
    const notes = join(kept, "extensions", "ad_hoc", "notes");
    return [
      pageIn(home),
      join(kept, "memory_summary.md"),
      join(kept, "MEMORY.md"),
      ...namesIn(notes)
        .filter((name) => name.endsWith(".md"))
        .map((name) => join(notes, name)),
    ];
  },
  publish: {
    page: (scope, env) =>
      pageIn(scope === "user" ? codexHome(env) : (foldersHere(env).at(-1) ?? env.cwd)),
  },
};

/** Of a folder it reads the first of two pages. */
function pageIn(folder: string): string {
  const first = join(folder, "AGENTS.override.md");
  return fileStat(first) === undefined ? join(folder, "AGENTS.md") : first;
}
