import type { Environment } from "../base/env.ts";
import { RepriseError } from "../base/errors.ts";
import { folderExists } from "../base/folders.ts";
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

/**
 * Throws `not_found` if a project is not on this machine: what is written into it would make a folder that nobody opens,
 * such as for a session of another machine.
 */
export function requireProject(folder: string): void {
  if (folderExists(folder)) return;
  throw new RepriseError("not_found", `The folder ${folder} does not exist; nothing was written.`, {
    hint: "Name the project's folder with --cwd, or make it.",
    details: { folder },
  });
}
