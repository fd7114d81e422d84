import { basename, extname, sep } from "node:path";
import { exists } from "../base/disk.ts";
import type { Environment } from "../base/env.ts";
import { fileStat, folderExists } from "../base/folders.ts";
import { userHome } from "../store/home.ts";
import { type Source, sourcesOf } from "../store/sources.ts";
import type { Agent, SessionRef } from "./contract.ts";

/**
 * The sessions of one agent in a source: what the agent itself finds at the path, and in a folder also what lies there as
 * it would in a home or a project, such as the home of another machine.
 */
export function* sessionsInSource(
  { path, agents }: Pick<Source, "path" | "agents">,
  agent: Agent,
  env: Environment,
): Generator<SessionRef> {
  const seen = new Set<string>();
  const isNew = (ref: SessionRef): boolean => {
    const key = placeOf(ref);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  for (const ref of agent.at?.(path, env) ?? []) if (isNew(ref)) yield ref;
  if (folderExists(path)) {
    for (const home of homesAt(path, env)) {
      for (const ref of agent.locate(home)) if (isBelow(path, ref) && isNew(ref)) yield ref;
    }
  } else if (agent.at === undefined && agents.includes(agent.name)) {
    const stat = fileStat(path);
    const session = basename(path, extname(path));
    if (stat !== undefined) yield { agent: agent.name, session, path, ...stat };
  }
}

/** Whether a place lies in a source, not above it: a repository around the source is not meant. */
export function isBelow(source: string, { path }: { readonly path: string }): boolean {
  return path.startsWith(source + sep);
}

/** Whether one of the user's sources may hold sessions of an agent. */
export function isInSources(
  agent: {
    readonly name: string;
    roots?(env: Environment): readonly string[];
    inProject?(project: string, env: Environment): readonly string[];
  },
  env: Environment,
): boolean {
  return sourcesOf(userHome(env)).some(
    ({ path, agents }) =>
      agents.includes(agent.name) ||
      homesAt(path, env).some((home) =>
        [...(agent.roots?.(home) ?? []), ...(agent.inProject?.(path, home) ?? [])].some(exists),
      ),
  );
}

/** A folder taken for a home, as each system lays one out; no variable of this machine speaks of it. */
export function homesAt(path: string, env: Environment): readonly Environment[] {
  if (!folderExists(path)) return [];
  const platforms = new Set<NodeJS.Platform>([env.platform, "linux", "darwin", "win32"]);
  return [...platforms].map((platform) => ({ variables: {}, platform, home: path, cwd: path }));
}

/** What says one session's place from another's. */
export function placeOf({ agent, path, part = "" }: SessionRef): string {
  return `${agent}\n${path}\n${part}`;
}
