import { join, resolve } from "node:path";
import type { Environment } from "../../base/env.ts";

/** The folder pi keeps everything in. */
export function agentFolder(env: Environment): string {
  const named = env.variables["PI_CODING_AGENT_DIR"];
  return named ? resolve(env.cwd, expandHome(named, env)) : join(env.home, ".pi", "agent");
}

/** The one folder the environment names for sessions, if it names one. */
export function namedSessionFolder(env: Environment): string | undefined {
  const named = env.variables["PI_CODING_AGENT_SESSION_DIR"];
  return named ? resolve(env.cwd, expandHome(named, env)) : undefined;
}

/** A path as pi reads it: `~` is the home folder. */
export function expandHome(path: string, env: Environment): string {
  if (path === "~") return env.home;
  return path.startsWith("~/") ? join(env.home, path.slice(2)) : path;
}

/** The folders with its sessions, but for those that settings name. */
export function roots(env: Environment): readonly string[] {
  const named = namedSessionFolder(env);
  return [agentFolder(env), ...(named === undefined ? [] : [named])];
}
