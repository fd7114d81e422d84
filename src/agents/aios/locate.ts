import { basename, extname, join } from "node:path";
import type { Environment } from "../../base/env.ts";
import { fileStat, namesIn } from "../../base/folders.ts";
import type { LocateOptions, SessionRef } from "../contract.ts";
import { projectFolders } from "../project-folders.ts";
import { digestsIn, folderNames, isDigest, statePath } from "./places.ts";

/** The state of the current project and the known ones, and its digests, by stat alone. */
export function* locate(env: Environment, options: LocateOptions = {}): Generator<SessionRef> {
  for (const project of projectFolders(env, options)) {
    const states = folderNames.map((folder) => statePath(project, folder));
    const digests = namesIn(digestsIn(project)).filter(isDigest);
    for (const path of [...states, ...digests.map((name) => join(digestsIn(project), name))]) {
      const stat = fileStat(path);
      // What the program calls the session stands in the file.
      const session = basename(path, extname(path));
      if (stat !== undefined) yield { agent: "aios", session, path, ...stat, root: project };
    }
  }
}
