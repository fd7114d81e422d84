import { basename } from "node:path";
import type { Environment } from "../../base/env.ts";
import { fileStat } from "../../base/folders.ts";
import type { LocateOptions, SessionRef } from "../contract.ts";
import { projectFolders } from "../project-folders.ts";
import { pagesOf } from "./pages.ts";

/** Every page of the current project and the known ones, by stat alone. */
export function* locate(env: Environment, options: LocateOptions = {}): Generator<SessionRef> {
  for (const project of projectFolders(env, options)) {
    for (const path of pagesOf(project)) {
      const stat = fileStat(path);
      const session = basename(path, ".md");
      if (stat !== undefined)
        yield { agent: "claude-sessions", session, path, ...stat, root: project };
    }
  }
}
