import { dirname, isAbsolute, join, resolve } from "node:path";
import type { Environment } from "../../base/env.ts";

/** Where OpenCode keeps its data; its XDG rule is the same on every platform. */
export function dataRoot(env: Environment): string {
  const data = env.variables["XDG_DATA_HOME"];
  const base = data === undefined || data === "" ? join(env.home, ".local", "share") : data;
  return join(resolve(env.cwd, base), "opencode");
}

/** The database `OPENCODE_DB` names, if it names one on the disk. */
export function namedDatabase(env: Environment): string | undefined {
  const named = env.variables["OPENCODE_DB"];
  if (named === undefined || named === "" || named === ":memory:") return undefined;
  return isAbsolute(named) ? named : join(dataRoot(env), named);
}

/** Where OpenCode keeps its settings, plugins and commands. */
export function configRoot(env: Environment): string {
  return join(env.variables["XDG_CONFIG_HOME"] || join(env.home, ".config"), "opencode");
}

/** The folders with its sessions. */
export function roots(env: Environment): readonly string[] {
  const named = namedDatabase(env);
  return [dataRoot(env), ...(named === undefined ? [] : [dirname(named)])];
}
