import { join, resolve } from "node:path";
import type { Environment } from "../../base/env.ts";

/** The folder Amp keeps its data in: `amp` in `XDG_DATA_HOME`, else in `~/.local/share`. */
export function ampRoot(env: Environment): string {
  const data = env.variables["XDG_DATA_HOME"];
  return join(data ? resolve(env.cwd, data) : join(env.home, ".local", "share"), "amp");
}
