import { join } from "node:path";
import type { Environment } from "../../base/env.ts";

/** The folder Codex keeps everything in: `CODEX_HOME`, else `.codex` in the home folder. */
export function codexHome(env: Environment): string {
  const named = env.variables["CODEX_HOME"];
  return named === undefined || named === "" ? join(env.home, ".codex") : named;
}
