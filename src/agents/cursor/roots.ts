import { join } from "node:path";
import type { Environment } from "../../base/env.ts";

/** The folder the desktop program keeps its data in. */
export function userFolder(env: Environment): string {
  if (env.platform === "darwin")
    return join(env.home, "Library", "Application Support", "Cursor", "User");
  const data =
    env.platform === "win32" ? env.variables["APPDATA"] : env.variables["XDG_CONFIG_HOME"];
  const usual = env.platform === "win32" ? join("AppData", "Roaming") : ".config";
  return join(data || join(env.home, usual), "Cursor", "User");
}

/** The folder of the command line, where both programs also keep what they know of projects. */
export function commandFolder(env: Environment): string {
  return join(env.home, ".cursor");
}

/** Where some versions of the command line keep conversations instead. */
export function otherCommandFolder(env: Environment): string {
  return join(env.variables["XDG_CONFIG_HOME"] || join(env.home, ".config"), "cursor");
}

/** The folders its stores lie in; rules of projects are listed where one of these is there. */
export function roots(env: Environment): readonly string[] {
  return [userFolder(env), commandFolder(env), otherCommandFolder(env)];
}
