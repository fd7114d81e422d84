import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fingerprint } from "../../base/fingerprint.ts";

/** Where the working notes of one project lie. */
export interface ProjectPlaces {
  /** The top of the working tree, or the folder itself outside one. */
  readonly path: string;
  readonly folder: string;
  /** Names the session whose ledger was written last. */
  readonly newest: string;
  /** Agents, tasks and hand-overs, one line each. */
  readonly team: string;
}

/** Where the working notes of one session lie. */
export interface LedgerPlaces {
  readonly project: ProjectPlaces;
  readonly folder: string;
  /** The page that people may edit. */
  readonly ledger: string;
  /** What we last wrote into it. */
  readonly kept: string;
  /** Touched when something came from outside the session. */
  readonly outside: string;
  readonly handoff: string;
  /** What was noted from outside, one line each. */
  readonly notes: string;
}

const deepest = 64;

/** The working tree a folder belongs to, told by the names of its folders alone; the folder where there is none. */
export function projectRoot(folder: string): string {
  const real = realOf(folder);
  let at = real;
  for (let depth = 0; depth < deepest; depth += 1) {
    if (isThere(join(at, ".git"))) return at;
    if (dirname(at) === at) break;
    at = dirname(at);
  }
  return real;
}

/** The places of a project's notes in the home of reprise. */
export function projectPlaces(home: string, cwd: string): ProjectPlaces {
  const path = projectRoot(cwd);
  const slug = basename(path)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 48);
  const folder = join(home, "ledgers", `${slug || "project"}-${fingerprint(path).slice(0, 8)}`);
  return { path, folder, newest: join(folder, "newest.json"), team: join(folder, "team.jsonl") };
}

/** The places of a session's notes; its id only ever becomes a hash (P10). */
export function ledgerPlaces(
  project: ProjectPlaces,
  { agent, session }: { readonly agent: string; readonly session: string },
): LedgerPlaces {
  const name = /^[a-z0-9-]{1,32}$/.test(agent) ? agent : "agent";
  const folder = join(project.folder, `${name}-${fingerprint(`${agent}:${session}`).slice(0, 16)}`);
  return {
    project,
    folder,
    ledger: join(folder, "ledger.md"),
    kept: join(folder, "kept.json"),
    outside: join(folder, "outside"),
    handoff: join(folder, "handoff.md"),
    notes: join(folder, "notes.jsonl"),
  };
}

/** Where a path leads in the end; the path itself where nothing lies there. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
