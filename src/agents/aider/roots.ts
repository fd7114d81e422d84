import { dirname, isAbsolute, resolve } from "node:path";
import type { Environment } from "../../base/env.ts";
import { foldersHere } from "../project-folders.ts";

/** The history's name unless the user chose another. */
export const historyName = ".aider.chat.history.md";

/** The history the user chose for every folder, if there is one. */
export function chosenHistory(env: Environment, cwd: string = env.cwd): string | undefined {
  const chosen = env.variables["AIDER_CHAT_HISTORY_FILE"];
  if (chosen === undefined || chosen === "") return undefined;
  return isAbsolute(chosen) ? chosen : resolve(cwd, chosen);
}

/** The folders its histories lie in, but for other projects. */
export function roots(env: Environment): readonly string[] {
  const chosen = chosenHistory(env);
  return [...(chosen === undefined ? [] : [dirname(chosen)]), ...foldersHere(env)];
}
