import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { atomicWrite } from "../base/atomic-write.ts";
import { disk } from "../base/disk.ts";
import { isObject, parseObject } from "../base/json.ts";
import type { ProjectIdentity } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";
import { type FileFacts, readHead } from "./head.ts";
import type { Home } from "./home.ts";
import { sessionFilesIn, sessionFolders } from "./locate.ts";
import { projectFolderName, sameProject } from "./project.ts";

/** Which sessions to list. */
export interface ListOptions {
  readonly project?: ProjectIdentity | undefined;
  /** Use and renew `derived/heads.json`; it may be deleted at any time (P11). */
  readonly cache?: boolean;
}

interface CachedHead {
  readonly size: number;
  readonly mtime: number;
  readonly head: SessionHead;
}

/** The sessions of a store, newest first. Unchanged files come from the cache where one is used. */
export function listHeads(home: Home, options: ListOptions = {}): readonly SessionHead[] {
  const cachePath = join(home.derived, "heads.json");
  const cached = options.cache ? readCache(cachePath) : undefined;
  const fresh: Record<string, CachedHead> = {};
  let changed = false;
  const heads: SessionHead[] = [];
  for (const facts of sessionFacts(home)) {
    const known = cached?.[facts.path];
    const hit =
      known !== undefined && known.size === facts.sizeBytes && known.mtime === facts.modifiedMs;
    const head = hit ? known.head : readHead(facts);
    changed ||= !hit;
    if (options.cache) fresh[facts.path] = { size: facts.sizeBytes, mtime: facts.modifiedMs, head };
    heads.push(head);
  }
  if (options.cache && (changed || Object.keys(cached ?? {}).length !== heads.length)) {
    writeCache(home, cachePath, fresh);
  }
  const { project } = options;
  const wanted = project === undefined ? heads : heads.filter((head) => belongsTo(head, project));
  return wanted.sort((a, b) =>
    a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0,
  );
}

/** Every session file of a store with what stat says; nothing is opened. */
export function* sessionFacts(home: Home): Generator<FileFacts> {
  for (const folder of sessionFolders(home)) {
    for (const path of sessionFilesIn(folder)) {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat?.isFile()) yield { path, sizeBytes: stat.size, modifiedMs: stat.mtimeMs };
    }
  }
}

function readCache(path: string): Readonly<Record<string, CachedHead>> | undefined {
  try {
    const heads = parseObject(readFileSync(path, "utf8"))?.["heads"];
    return isObject(heads) ? (heads as Readonly<Record<string, CachedHead>>) : undefined;
  } catch {
    return undefined;
  }
}

/** A cache that cannot be written costs time, not an answer. */
function writeCache(home: Home, path: string, heads: Readonly<Record<string, CachedHead>>): void {
  try {
    disk.makeDirectory(home.derived);
    atomicWrite(path, JSON.stringify({ version: 1, heads }), { sync: false });
  } catch {
    return;
  }
}

/** A sealed head tells no project; the folder it lies in does. */
function belongsTo(head: SessionHead, project: ProjectIdentity): boolean {
  if (head.project !== undefined) return sameProject(head.project, project);
  return head.sealed === true && basename(dirname(head.path)) === projectFolderName(project);
}
