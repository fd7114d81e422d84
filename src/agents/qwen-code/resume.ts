import type { SessionHead } from "../../model/head.ts";
import type { ResumeCommand, SessionRef } from "../contract.ts";

/** The command that continues a session in Qwen Code; of a subagent, the session it worked for. */
export function resume(_ref: SessionRef, head: SessionHead, prompt?: string): ResumeCommand {
  const session = head.relation?.kind === "subagent" ? head.relation.session : head.session;
  return {
    argv: ["qwen", "--resume", session, ...(prompt === undefined ? [] : ["-i", prompt])],
    ...(head.cwd !== undefined && head.cwdExists !== false && { cwd: head.cwd }),
  };
}
