import { basename } from "node:path";
import type { Environment } from "../../base/env.ts";
import { fileStat } from "../../base/folders.ts";
import type { LocateOptions, SessionRef } from "../contract.ts";
import { projectFolders } from "../project-folders.ts";
import { databasesIn } from "./roots.ts";
import { threadsIn } from "./thread-list.ts";

/** The agent's name in references. */
export const agentName = "langgraph";

/** The threads of databases that lie where they usually do in the current project and the known ones. */
export function* locate(env: Environment, options: LocateOptions = {}): Generator<SessionRef> {
  for (const project of projectFolders(env, options)) {
    for (const path of databasesIn(project)) yield* refsAt(path, project);
  }
}

/** The threads of one database; nothing if it is none of checkpoints. A thread is a row, so its rows are listed. */
export function* refsAt(path: string, root?: string): Generator<SessionRef> {
  const at = { agent: agentName, path, ...(root !== undefined && { root }) };
  try {
    for (const { thread, modifiedMs } of threadsIn(path)?.threads.values() ?? [])
      yield { ...at, session: thread, sizeBytes: 0, modifiedMs, part: thread };
  } catch {
    // Unreadable as a whole, or no engine: the file itself is named, so that reading it says why.
    const stat = fileStat(path);
    if (stat !== undefined && root !== undefined) yield { ...at, session: basename(path), ...stat };
  }
}
