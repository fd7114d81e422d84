import { isAbsolute, join } from "node:path";
import type { Environment } from "../../base/env.ts";
import { fileStat, namesIn, smallFile } from "../../base/folders.ts";
import { asString, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { AgentMemories } from "../memories-contract.ts";
import { foldersHere } from "../project-folders.ts";
import { rootOf } from "./roots.ts";
import { projectFolder } from "./write/project-folder.ts";

const page = "CLAUDE.md";

/** Where Claude Code's own memories lie: pages of the user, of the project, and what it wrote down by itself. */
export const memories: AgentMemories = {
  pages: (scope, env) => {
    const root = rootOf(env);
    if (scope === "user") return [join(root, page), ...pagesIn(join(root, "rules"))];
    return [
      ...foldersHere(env).flatMap((folder) => [
        join(folder, page),
        join(folder, ".claude", page),
        join(folder, "CLAUDE.local.md"),
        ...pagesIn(join(folder, ".claude", "rules")),
      ]),
      ...pagesIn(memoryFolder(env)),
    ];
  },
  publish: {
    page: (scope, env) => {
      if (scope === "user") return join(rootOf(env), page);
      const top = foldersHere(env).at(-1) ?? env.cwd;
      // It reads both; a project that has the second alone keeps it that way.
      const [usual, inner] = [join(top, page), join(top, ".claude", page)];
      return fileStat(usual) === undefined && fileStat(inner) !== undefined ? inner : usual;
    },
  },
};

/** The folder of what it writes down by itself about a project: `MEMORY.md` and a page for each topic. */
function memoryFolder(env: Environment): string {
  const root = rootOf(env);
  const settings = parseObject(smallFile(join(root, "settings.json"), limits.settingsBytes) ?? "");
  const named = asString(settings?.["autoMemoryDirectory"])?.replace(/^~(?=\/)/, env.home);
  if (named !== undefined && isAbsolute(named)) return named;
  const top = foldersHere(env).at(-1) ?? env.cwd;
  return join(root, "projects", projectFolder(top), "memory");
}

function pagesIn(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
}
