import { resolve } from "node:path";
import { RepriseError } from "../base/errors.ts";
import { folderExists, statOf } from "../base/folders.ts";
import type { EventId } from "../model/event.ts";
import { userHome } from "../store/home.ts";
import {
  addSource as record,
  removeSource as recordRemoval,
  type Source,
  sourcesOf,
} from "../store/sources.ts";
import { sessionsInFile, withHeads } from "./file-elsewhere.ts";
import type { FoundSession, Search } from "./find-sessions.ts";
import { sessionsInSource } from "./source-places.ts";

/** How many sessions of an agent a source holds. */
export interface SourceShare {
  readonly agent: string;
  readonly sessions: number;
}

/** A source, and what it holds now. */
export interface SourceState {
  readonly path: string;
  readonly addedAt: string;
  /** Whether anything is there now. */
  readonly exists: boolean;
  readonly holds: readonly SourceShare[];
}

/** A change of the list of sources, and the entry of the journal that undoes it. */
export interface SourceChange {
  readonly path: string;
  readonly holds: readonly SourceShare[];
  readonly entry: EventId;
}

/** A path that was taken off the list, and the entry of the journal that undoes it. */
export type SourceRemoval = Omit<SourceChange, "holds">;

/**
 * Adds a file or folder to the places that are listed and searched. Throws `not_found` if nothing is there, `bad_input` if
 * no agent finds a session in it, `conflict` if it is a source already.
 */
export function addSource(given: string, search: Search): SourceChange {
  const path = resolve(search.folder ?? search.env.cwd, given);
  const home = userHome(search.env);
  if (statOf(path) === undefined) {
    throw new RepriseError("not_found", `There is nothing at ${path}.`, {
      hint: "Name a file or folder that holds sessions.",
    });
  }
  if (sourcesOf(home).some((source) => source.path === path)) {
    throw new RepriseError("conflict", `${path} is a source already.`, {
      hint: "See all of them with `reprise sources list`.",
    });
  }
  const holds = sharesOf(folderExists(path) ? inFolder(path, search) : inFile(path, search));
  if (holds.length === 0) {
    throw new RepriseError("bad_input", `No agent's sessions were found in ${path}.`, {
      hint: "A source is a database, an export, a session's file, a store's folder or a home.",
    });
  }
  const entry = record(home, { path, agents: holds.map(({ agent }) => agent) });
  return { path, holds, entry };
}

/** The sources with what each of them holds now. */
export function listSources(search: Search): readonly SourceState[] {
  return sourcesOf(userHome(search.env)).map((source) => ({
    path: source.path,
    addedAt: source.addedAt,
    exists: statOf(source.path) !== undefined,
    holds: sharesOf(inSource(source, search)),
  }));
}

/** Takes a path off the list of sources; nothing at the path is touched. Throws `not_found` if it is not on the list. */
export function removeSource(given: string, search: Search): SourceRemoval {
  const path = resolve(search.folder ?? search.env.cwd, given);
  const home = userHome(search.env);
  const source = sourcesOf(home).find((one) => one.path === path || one.path === given);
  if (source === undefined) {
    throw new RepriseError("not_found", `${path} is not a source.`, {
      hint: "See all of them with `reprise sources list`.",
    });
  }
  return { path: source.path, entry: recordRemoval(home, source) };
}

/** Of readers that are lenient with each other's lines the first one counts. */
function inFile(path: string, search: Search): readonly FoundSession[] {
  const found = sessionsInFile(path, search);
  return found.filter(({ agent }) => agent === found[0]!.agent);
}

function inFolder(path: string, search: Search): readonly FoundSession[] {
  return inSource({ path, agents: [] }, search);
}

function inSource(
  source: Pick<Source, "path" | "agents">,
  search: Search,
): readonly FoundSession[] {
  const located = search.agents.flatMap((agent) =>
    [...sessionsInSource(source, agent, search.env)].map((ref) => ({ agent, ref })),
  );
  return withHeads(located, search);
}

function sharesOf(found: readonly FoundSession[]): readonly SourceShare[] {
  const counts = new Map<string, number>();
  for (const { agent } of found) counts.set(agent.name, (counts.get(agent.name) ?? 0) + 1);
  return [...counts].map(([agent, sessions]) => ({ agent, sessions }));
}
