import type { SessionHead } from "../../model/head.ts";
import type { ResumeCommand, SessionRef } from "../contract.ts";

/** The command that continues a session; the program finds it by id from any folder. */
export function resume(ref: SessionRef, head: SessionHead): ResumeCommand {
  return {
    argv: ["claude", "--resume", ref.session],
    ...(head.cwd !== undefined && head.cwdExists === true && { cwd: head.cwd }),
    ...(ref.root !== undefined &&
      !ref.root.endsWith(".claude") && {
        env: { CLAUDE_CONFIG_DIR: ref.root },
      }),
  };
}
