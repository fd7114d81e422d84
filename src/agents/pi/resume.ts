import type { SessionHead } from "../../model/head.ts";
import type { ResumeCommand, SessionRef } from "../contract.ts";

/** The command that continues a session in pi. */
export function resume(ref: SessionRef, head: SessionHead): ResumeCommand {
  // With a broken header `--session` would overwrite the file; `--fork` refuses it and leaves it alone.
  const option = head.problem === undefined ? "--session" : "--fork";
  return {
    argv: ["pi", option, ref.path],
    ...(head.cwd !== undefined && head.cwdExists !== false && { cwd: head.cwd }),
  };
}
