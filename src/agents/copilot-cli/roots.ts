import { join, resolve } from "node:path";
import type { Environment } from "../../base/env.ts";

/** The folder Copilot CLI keeps everything in: `~/.copilot`, or what `COPILOT_HOME` names instead. */
export function copilotRoot(env: Environment): string {
  const named = env.variables["COPILOT_HOME"];
  return named ? resolve(env.cwd, named) : join(env.home, ".copilot");
}
