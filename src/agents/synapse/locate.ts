import { basename } from "node:path";
import type { Environment } from "../../base/env.ts";
import { fileStat } from "../../base/folders.ts";
import type { LocateOptions, SessionRef } from "../contract.ts";
import { projectFolders } from "../project-folders.ts";
import { filesOf } from "./places.ts";

/** Every session of the current project and the known ones, by stat alone. */
export function* locate(env: Environment, options: LocateOptions = {}): Generator<SessionRef> {
  for (const project of projectFolders(env, options)) {
    for (const path of filesOf(project)) {
      const stat = fileStat(path);
      const session = basename(path, ".json");
      if (stat !== undefined) yield { agent: "synapse", session, path, ...stat, root: project };
    }
  }
}
