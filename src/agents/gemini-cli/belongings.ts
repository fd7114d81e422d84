import { dirname, join } from "node:path";
import type { Environment } from "../../base/env.ts";
import { sessionIdProblem } from "../../base/ids.ts";
import type { Belongings } from "../belongings-contract.ts";
import type { SessionRef } from "../contract.ts";
import { head } from "./head.ts";
import { isSavedChat } from "./json-forms.ts";

/** A chat with its subagents' chats, the whole outputs of its tools, and what is kept about its plans and tasks. */
export async function belongings(ref: SessionRef, env: Environment): Promise<Belongings> {
  const { path } = ref;
  const id = isSavedChat(path) ? undefined : head(ref, env)?.session;
  // The id stands in the file, and becomes a path.
  if (id === undefined || ref.part === "subagent" || sessionIdProblem(id) !== undefined)
    return { files: [path] };
  const project = dirname(dirname(path));
  const outputs = join(project, "tool-outputs", `session-${id}`);
  return { files: [path], folders: [join(dirname(path), id), outputs, join(project, id)] };
}
