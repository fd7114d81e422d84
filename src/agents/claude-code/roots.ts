import { join, resolve } from "node:path";
import type { Environment } from "../../base/env.ts";

/** The folder Claude Code keeps everything in: `CLAUDE_CONFIG_DIR`, else `.claude` in the home folder. */
export function rootOf(env: Environment): string {
  const named = env.variables["CLAUDE_CONFIG_DIR"];
  return named === undefined || named === "" ? join(env.home, ".claude") : resolve(env.cwd, named);
}
