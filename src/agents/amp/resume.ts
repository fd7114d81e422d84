import type { SessionHead } from "../../model/head.ts";
import type { ResumeCommand, SessionRef } from "../contract.ts";

/** The command that continues a thread in Amp; builds after March 2026 ask their server for it. */
export function resume(ref: SessionRef, head: SessionHead, prompt?: string): ResumeCommand {
  return {
    argv: [
      ...["amp", "threads", "continue", ref.session],
      ...(prompt === undefined ? [] : ["-x", prompt]),
    ],
    ...(head.cwd !== undefined && head.cwdExists !== false && { cwd: head.cwd }),
  };
}
