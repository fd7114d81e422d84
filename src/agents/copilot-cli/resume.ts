import type { SessionHead } from "../../model/head.ts";
import type { ResumeCommand, SessionRef } from "../contract.ts";

/** The command that continues a session in Copilot CLI. */
export function resume(_ref: SessionRef, head: SessionHead, prompt?: string): ResumeCommand {
  return {
    argv: [
      "copilot",
      `--resume=${head.session}`,
      ...(prompt === undefined ? [] : [`--interactive=${prompt}`]),
    ],
    ...(head.cwd !== undefined && head.cwdExists !== false && { cwd: head.cwd }),
  };
}
