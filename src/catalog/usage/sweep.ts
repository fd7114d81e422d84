import type { UsagePlace } from "../../agents/usage-contract.ts";
import type { Environment } from "../../base/env.ts";
import { statOf } from "../../base/folders.ts";
import type { CountedAgents } from "./counted-agents.ts";
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
  return files;
}

/** A place with what stat says of it; undefined where it is gone, no file, or not ours to look at. */
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
