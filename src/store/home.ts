import { join, resolve } from "node:path";
import type { Environment } from "../base/env.ts";
import { ownFolder } from "../base/own-folder.ts";
import type { LogPlaces } from "../log/writer-options.ts";

/** Where a store keeps its things. */
export interface Home {
  readonly root: string;
  /** The folder of session files, or of project folders with session files. */
  readonly sessions: string;
  /** Whether session files lie directly in `sessions`, without project folders. */
  readonly flat: boolean;
  /** Removed sessions that forks still stand on. */
  readonly bases: string;
  readonly blobs: string;
  /** A folder of leases for each session that is being written, for the journal and for the catalog. */
  readonly leases: string;
  readonly quarantine: string;
  /** What older versions left beside sessions; nothing is written there any more. */
  readonly strips: string;
  readonly archive: string;
  /** Copies of deleted sessions of other agents, a folder for each. */
  readonly deleted: string;
  /** Notes of processes that are changing things, so that what they leave when they die is swept. */
  readonly running: string;
  readonly derived: string;
  readonly journal: string;
}

/** The store of this user (`base/own-folder.ts`); always an absolute path. */
export function userHome(env: Environment): Home {
  // The journal writes paths down, and a later command that reads them may run in another folder.
  return homeAt(resolve(env.cwd, ownFolder(env)));
}

/** The store with project folders that lies in a folder. */
export function homeAt(root: string): Home {
  return home(root, { sessions: join(root, "sessions"), flat: false });
}

/** A store in a folder of the caller's: sessions lie directly in it, the rest in `.reprise`. */
export function folderHome(folder: string): Home {
  return home(join(folder, ".reprise"), { sessions: folder, flat: true });
}

function home(root: string, place: { readonly sessions: string; readonly flat: boolean }): Home {
  return {
    root,
    ...place,
    bases: join(root, "bases"),
    blobs: join(root, "blobs"),
    leases: join(root, "writers"),
    quarantine: join(root, "quarantine"),
    strips: join(root, "strips"),
    archive: join(root, "archive"),
    deleted: join(root, "deleted"),
    running: join(root, "running"),
    derived: join(root, "derived"),
    journal: join(root, "journal.jsonl"),
  };
}

/** Where the parts of one session lie. */
export function placesOf(home: Home, file: string): LogPlaces {
  const { leases, quarantine, strips } = home;
  return { file, leases, quarantine, strips };
}

/** Where a session lies between its removal and the proof that no fork stands on it; nobody forks it there. */
export function leavingPath(home: Home, session: string): string {
  return join(home.bases, `${session}${leavingEnd}`);
}

/** How the names of such files end. */
export const leavingEnd = ".leaving";

/** The name of a session's file. */
export function fileNameOf(session: string): string {
  return `${session}.jsonl`;
}
