import { join } from "node:path";
import type { Environment } from "../../base/env.ts";

/** The folder Gemini CLI keeps everything in: `.gemini` in the home, or in what `GEMINI_CLI_HOME` names instead. */
export function geminiRoot(env: Environment): string {
  const named = env.variables["GEMINI_CLI_HOME"];
  return join(named === undefined || named === "" ? env.home : named, ".gemini");
}
