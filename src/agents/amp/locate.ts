import { join, sep } from "node:path";
import type { Environment } from "../../base/env.ts";
import { fileStat, namesIn } from "../../base/folders.ts";
import type { SessionRef } from "../contract.ts";
import { ampRoot } from "./roots.ts";

/** The agent's name in references. */
export const agentName = "amp";

const threadFile = /^T-[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\.json$/;

/** Every thread that was kept on this machine: builds up to March 2026 did. */
export function* locate(env: Environment): Generator<SessionRef> {
  const root = ampRoot(env);
  for (const folder of ["threads", "threads-development"]) {
    const path = join(root, folder);
    for (const name of namesIn(path)) {
      const stat = threadFile.test(name) ? fileStat(`${path}${sep}${name}`) : undefined;
      if (stat === undefined) continue;
      const session = name.slice(0, -".json".length);
      yield { agent: agentName, session, path: `${path}${sep}${name}`, ...stat, root };
    }
  }
}
