import { homesAt, isBelow, sessionsInSource } from "../../agents/source-places.ts";
import type { UsagePlace } from "../../agents/usage-contract.ts";
import type { Environment } from "../../base/env.ts";
import { statOf } from "../../base/folders.ts";
import { userHome } from "../../store/home.ts";
import { type Source, sourcesOf } from "../../store/sources.ts";
import type { CountedAgent, CountedAgents } from "./counted-agents.ts";
import type { UsageFile } from "./source.ts";

/** Everything on the machine that may record usage, by listing and stat alone. */
export function sweep(
  agents: CountedAgents,
  env: Environment,
  known: { readonly projects: ReadonlySet<string>; readonly onlyProjects?: boolean },
): readonly UsageFile[] {
  const options = { projects: [...known.projects] };
  const files: UsageFile[] = [];
  for (const [name, { agent, usage }] of agents) {
    // Once more for agents that may keep sessions in the projects themselves.
    if (known.onlyProjects && !agent.asksProjects) continue;
    for (const place of usage.places?.(env, options) ?? agent.locate(env, options)) {
      const file = fileAt(name, place);
      if (file !== undefined) files.push(file);
    }
  }
  if (!known.onlyProjects) files.push(...inSources(agents, env, files));
  return files;
}

/** What lies in the sources the user added and nowhere else. */
function inSources(
  agents: CountedAgents,
  env: Environment,
  found: readonly UsageFile[],
): readonly UsageFile[] {
  const sources = sourcesOf(userHome(env));
  if (sources.length === 0) return [];
  const files = new Map<string, UsageFile>();
  const known = new Set(found.map(keyOf));
  for (const source of sources) {
    for (const [name, counted] of agents) {
      for (const place of placesIn(source, counted, env)) {
        const file = fileAt(name, place);
        if (file !== undefined && !known.has(keyOf(file))) files.set(keyOf(file), file);
      }
    }
  }
  return [...files.values()];
}

/** A source as a home has an agent's own places; what the agent alone finds in it comes with its sessions. */
function* placesIn(
  source: Source,
  { agent, usage }: CountedAgent,
  env: Environment,
): Generator<UsagePlace> {
  for (const home of homesAt(source.path, env)) {
    for (const place of usage.places?.(home, {}) ?? [])
      if (isBelow(source.path, place)) yield place;
  }
  yield* sessionsInSource(source, agent, env);
}

function keyOf({ path, part = "" }: UsageFile): string {
  return `${path}\n${part}`;
}

/** A place with what stat says of it; undefined if it is gone, no file, or not ours to look at. */
function fileAt(agent: string, place: UsagePlace): UsageFile | undefined {
  const stat = statOf(place.path);
  if (stat === undefined || !stat.isFile()) return undefined;
  const { path, session, part, root, parent, cwd } = place;
  // A part of a file has a size and a time of its own.
  const own = part === undefined ? undefined : place;
  return {
    agent,
    path,
    session,
    sizeBytes: own?.sizeBytes ?? stat.size,
    modifiedMs: own?.modifiedMs ?? stat.mtimeMs,
    bornMs: stat.birthtimeMs,
    inode: stat.ino,
    ...(part !== undefined && { part }),
    ...(root !== undefined && { root }),
    ...(parent !== undefined && { parent }),
    ...(cwd !== undefined && { cwd }),
  };
}
