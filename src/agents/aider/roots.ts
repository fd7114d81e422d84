import { dirname, isAbsolute, join, resolve } from "node:path";
import { exists } from "../../base/disk.ts";
import type { Environment } from "../../base/env.ts";
import { limits } from "../../base/limits.ts";

/** The history's name unless the user chose another. */
export const historyName = ".aider.chat.history.md";

/** The history the user chose for every folder, if there is one. */
export function chosenHistory(env: Environment, cwd: string = env.cwd): string | undefined {
  const chosen = env.variables["AIDER_CHAT_HISTORY_FILE"];
  if (chosen === undefined || chosen === "") return undefined;
  return isAbsolute(chosen) ? chosen : resolve(cwd, chosen);
}

/** The folders a history of the usual name lies in: the current one and its git root. */
export function foldersHere(env: Environment): readonly string[] {
  const root = gitRootOf(env.cwd);
  return root === undefined ? [env.cwd] : [env.cwd, root];
}

/** The folders its histories lie in, but for other projects. */
export function roots(env: Environment): readonly string[] {
  const chosen = chosenHistory(env);
  return [...(chosen === undefined ? [] : [dirname(chosen)]), ...foldersHere(env)];
}

/** The folder at or above this one that holds `.git`. */
export function gitRootOf(folder: string): string | undefined {
  let at = resolve(folder);
  for (let depth = 0; depth < limits.depth; depth += 1) {
    if (exists(join(at, ".git"))) return at;
    const above = dirname(at);
    if (above === at) return undefined;
    at = above;
  }
  return undefined;
}
