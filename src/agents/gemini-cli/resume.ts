import type { SessionHead } from "../../model/head.ts";
import type { ResumeCommand, SessionRef } from "../contract.ts";
import { isSavedChat } from "./json-forms.ts";

/** The command that takes a session up again; a saved chat is opened by hand with `/chat resume <tag>`. */
export function resume(ref: SessionRef, head: SessionHead): ResumeCommand {
  const argv = isSavedChat(ref.path) ? ["gemini"] : ["gemini", "--resume", head.session];
  return { argv, ...(head.cwd === undefined ? {} : { cwd: head.cwd }) };
}
