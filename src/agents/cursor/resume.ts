import type { SessionHead } from "../../model/head.ts";
import type { ResumeCommand, SessionRef } from "../contract.ts";
import { meant } from "./part.ts";

/** The command that continues a conversation of the command line; those of the desktop program have none. */
export function resume(
  ref: SessionRef,
  head: SessionHead,
  prompt?: string,
): ResumeCommand | undefined {
  if (meant(ref).kind !== "store") return undefined;
  return {
    argv: ["cursor-agent", "--resume", ref.session, ...(prompt === undefined ? [] : [prompt])],
    ...(head.cwd !== undefined && head.cwdExists !== false && { cwd: head.cwd }),
  };
}
