import type { Environment } from "../base/env.ts";
import { gitRootOf } from "../base/git-root.ts";
import type { LocateOptions } from "./contract.ts";

/** The folders whose own stores are looked for: the current one, its git root, and the known projects; each once. */
export function projectFolders(env: Environment, options: LocateOptions = {}): readonly string[] {
  return [...new Set([...foldersHere(env), ...(options.projects ?? [])])];
}

/** The current folder and its git root. */
export function foldersHere(env: Environment): readonly string[] {
  const root = gitRootOf(env.cwd);
  return root === undefined || root === env.cwd ? [env.cwd] : [env.cwd, root];
}
