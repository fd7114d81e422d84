import { basename } from "node:path";
import type { SessionHead } from "../../model/head.ts";
import type { ResumeCommand, SessionRef } from "../contract.ts";

/** Opens the session in OpenCode's own screen; it must be started in the session's folder. */
export function resume(ref: SessionRef, head: SessionHead): ResumeCommand {
  const isOwnDatabase = ref.part !== undefined && basename(ref.path) !== "opencode.db";
  return {
    argv: ["opencode", "--session", head.session],
    ...(head.cwd === undefined ? {} : { cwd: head.cwd }),
    ...(isOwnDatabase ? { env: { OPENCODE_DB: ref.path } } : {}),
  };
}
