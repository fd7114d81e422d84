import type { Environment } from "../../base/env.ts";
import { folderExists } from "../../base/folders.ts";
import type { SessionRef } from "../contract.ts";
import { documentsInFolder } from "./documents.ts";
import { folderFor, listOf } from "./export-list.ts";

/** The agent's name in references. */
export const agentName = "web-export";

/** The conversations in an export that the user named; nothing if the path is none. */
export function* refsAt(path: string, env: Environment): Generator<SessionRef> {
  if (folderExists(path)) for (const file of documentsInFolder(path)) yield* refsIn(file, env);
  else yield* refsIn(path, env);
}

function* refsIn(path: string, env: Environment): Generator<SessionRef> {
  const root = folderFor(env);
  let list: ReturnType<typeof listOf>;
  try {
    list = listOf(path, root);
  } catch {
    // Not an export, or one that cannot be unpacked: who names it is reported when it is added.
    return;
  }
  for (const { id, sizeBytes, updatedMs } of list?.conversations.values() ?? [])
    yield { agent: agentName, session: id, path, sizeBytes, modifiedMs: updatedMs, part: id, root };
}
