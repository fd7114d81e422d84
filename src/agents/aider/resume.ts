import { dirname } from "node:path";
import type { SessionHead } from "../../model/head.ts";
import type { ResumeCommand, SessionRef } from "../contract.ts";

/** The command that continues in the run's folder; the program restores the whole history, not one run. */
export function resume(ref: SessionRef, _head: SessionHead): ResumeCommand {
  return { argv: ["aider", "--restore-chat-history"], cwd: dirname(ref.path) };
}
