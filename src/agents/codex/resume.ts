import { processEnvironment } from "../../base/env.ts";
import type { SessionHead } from "../../model/head.ts";
import type { ResumeCommand, SessionRef } from "../contract.ts";
import { codexHome } from "./roots.ts";

/** The command that continues a thread, from any folder; the store is named where the program would not take it by itself. */
export function resume(ref: SessionRef, head: SessionHead): ResumeCommand {
  const isElsewhere = ref.root !== undefined && ref.root !== codexHome(processEnvironment());
  return {
    argv: ["codex", "resume", ref.session],
    ...(head.cwd !== undefined && head.cwdExists !== false && { cwd: head.cwd }),
    ...(isElsewhere && { env: { CODEX_HOME: ref.root } }),
  };
}
