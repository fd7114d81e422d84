import { basename, dirname, extname } from "node:path";
import type { Environment } from "../../base/env.ts";
import { fileStat } from "../../base/folders.ts";
import type { LocateOptions, SessionRef } from "../contract.ts";
import { projectFolders } from "../project-folders.ts";
import { handoffsOf, isKept, isLedger, ledgersOf } from "./pages.ts";

/** Every ledger and hand-off of the current project and the known ones, by stat alone. */
export function* locate(env: Environment, options: LocateOptions = {}): Generator<SessionRef> {
  for (const project of projectFolders(env, options)) {
    if (!isKept(project)) continue;
    for (const path of [...ledgersOf(project), ...handoffsOf(project)]) {
      const stat = fileStat(path);
      if (stat !== undefined)
        yield { agent: "continuous-claude", session: idOf(path), path, ...stat, root: project };
    }
  }
}

/** A page's id: what the ledger is called, or the folder and the name of a hand-off. */
export function idOf(path: string): string {
  const name = basename(path, extname(path));
  return isLedger(path)
    ? name.replace(/^CONTINUITY_CLAUDE-/, "ledger-")
    : `${basename(dirname(path))}-${name}`;
}
