import { join, resolve } from "node:path";
import type { Environment } from "../../base/env.ts";

/** The folder Qwen Code keeps sessions in: what `QWEN_RUNTIME_DIR` or `QWEN_HOME` names, else `~/.qwen`. */
export function qwenRoot(env: Environment): string {
  const named = env.variables["QWEN_RUNTIME_DIR"] || env.variables["QWEN_HOME"];
  return named ? resolve(env.cwd, expanded(named, env)) : join(env.home, ".qwen");
}

function expanded(path: string, env: Environment): string {
  if (path === "~") return env.home;
  return path.startsWith("~/") ? join(env.home, path.slice(2)) : path;
}

/** The folder of a project's sessions, as the program names it. */
export function projectFolder(env: Environment, project: string): string {
  const path = env.platform === "win32" ? project.toLowerCase() : project;
  return join(qwenRoot(env), "projects", path.replaceAll(/[^a-zA-Z0-9]/g, "-"));
}
