import { join } from "node:path";
import type { Environment } from "../../base/env.ts";
import { smallFile } from "../../base/folders.ts";
import { asArray, asString, isObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { AgentMemories } from "../memories-contract.ts";
import { foldersHere } from "../project-folders.ts";
import { registeredProjects } from "./projects.ts";
import { geminiRoot } from "./roots.ts";

/** Where Gemini CLI's own memories lie: its pages, and what it wrote down by itself about a project. */
export const memories: AgentMemories = {
  pages: (scope, env) => {
    const names = pageNames(env);
    if (scope === "user") return names.map((name) => join(geminiRoot(env), name));
    return [
      ...foldersHere(env).flatMap((folder) => names.map((name) => join(folder, name))),
      ...ownPages(env),
    ];
  },
  publish: {
    page: (scope, env) => {
      const folder = scope === "user" ? geminiRoot(env) : (foldersHere(env).at(-1) ?? env.cwd);
      return join(folder, pageNames(env)[0]!);
    },
  },
};

function ownPages(env: Environment): readonly string[] {
  const root = geminiRoot(env);
  const here = new Set(foldersHere(env));
  return [...registeredProjects(root)]
    .filter(([slug, path]) => here.has(path) && isPlainName(slug))
    .map(([slug]) => join(root, "tmp", slug, "memory", "MEMORY.md"));
}

/** What its pages are called: `GEMINI.md`, or what the settings of the project or of the user say instead. */
function pageNames(env: Environment): readonly string[] {
  const top = foldersHere(env).at(-1) ?? env.cwd;
  for (const folder of [join(top, ".gemini"), geminiRoot(env)]) {
    const text = smallFile(join(folder, "settings.json"), limits.settingsBytes);
    const settings = parseObject(text ?? "");
    const context = settings?.["context"];
    const named =
      (isObject(context) ? context["fileName"] : undefined) ?? settings?.["contextFileName"];
    const names = (Array.isArray(named) ? asArray(named) : [named]).flatMap(
      (name) => asString(name) ?? [],
    );
    // A project says so: a name that leads elsewhere is not one.
    const plain = names.filter(isPlainName);
    if (plain.length > 0) return plain;
  }
  return ["GEMINI.md"];
}

function isPlainName(name: string): boolean {
  return /^[\w-][\w.-]{0,63}$/.test(name);
}
