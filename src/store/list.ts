import { basename, dirname, join } from "node:path";
import { atomicWrite } from "../base/atomic-write.ts";
import { disk } from "../base/disk.ts";
import { fileStat } from "../base/folders.ts";
import { asArray, parseObject } from "../base/json.ts";
import { readRegular } from "../base/open-file.ts";
import type { ProjectIdentity } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";
import { type FileFacts, readHeadAndFacts } from "./head.ts";
import type { Home } from "./home.ts";
import { sessionFilesIn, sessionFolders } from "./locate.ts";
import { projectFolderName, sameProject } from "./project.ts";

/** Which sessions to list. */
export interface ListOptions {
  readonly project?: ProjectIdentity | undefined;
  /** Use and renew `derived/heads.json`; it may be deleted at any time (P11). */
  readonly cache?: boolean;
}

/** A head as it was when the file had its size and this time. */
interface CachedHead {
  readonly mtime: number;
  readonly head: SessionHead;
}

type HeadCache = ReadonlyMap<string, CachedHead>;

const cacheVersion = 3;
const noCache: HeadCache = new Map();

/** The sessions of a store, newest first. Unchanged files come from the cache where one is used. */
export function listHeads(home: Home, options: ListOptions = {}): readonly SessionHead[] {
  const cachePath = join(home.derived, "heads.json");
  const cache = options.cache ? readCache(cachePath) : noCache;
  const heads: SessionHead[] = [];
  const times: number[] = [];
  let hits = 0;
  for (const path of sessionPaths(home)) {
    // Looking up a path costs a pass over it, also where nothing can be found.
    const known = cache.size === 0 ? undefined : cache.get(path);
    if (known !== undefined && isUnchanged(known)) {
      hits += 1;
      heads.push(known.head);
      times.push(known.mtime);
      continue;
    }
    const { head, facts } = readHeadAndFacts(path);
    heads.push(head);
    times.push(facts.modifiedMs);
  }
  if (options.cache && (hits < heads.length || cache.size > hits)) {
    const entries = heads.map((head, at): CachedHead => ({ mtime: times[at]!, head }));
    writeCache(home, cachePath, entries);
  }
  const { project } = options;
  const wanted = project === undefined ? heads : heads.filter((head) => belongsTo(head, project));
  return wanted.sort((a, b) =>
    a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0,
  );
}

function isUnchanged({ mtime, head }: CachedHead): boolean {
  const stat = fileStat(head.path);
  return stat !== undefined && stat.sizeBytes === head.sizeBytes && stat.modifiedMs === mtime;
}

function sessionPaths(home: Home): readonly string[] {
  return sessionFolders(home).flatMap(sessionFilesIn);
}

/** Every session file of a store with what stat says; nothing is opened. */
export function* sessionFacts(home: Home): Generator<FileFacts> {
  for (const path of sessionPaths(home)) {
    const stat = fileStat(path);
    if (stat !== undefined) yield { path, ...stat };
  }
}

function readCache(path: string): HeadCache {
  try {
    const cache = parseObject(readRegular(path).toString("latin1"));
    if (cache?.["version"] !== cacheVersion) return noCache;
    const entries = asArray(cache["entries"]) as readonly CachedHead[];
    return new Map(entries.map((entry) => [entry.head.path, entry]));
  } catch {
    return noCache;
  }
}

// ASCII alone is read back several times faster: nothing has to be decoded.
const beyondAscii = /[\u0080-\uffff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A cache that cannot be written costs time, not an answer. */
function writeCache(home: Home, path: string, entries: readonly CachedHead[]): void {
  try {
    disk.makeDirectory(home.derived);
    const json = JSON.stringify({ version: cacheVersion, entries });
    atomicWrite(path, json.replace(beyondAscii, escaped), { sync: false });
  } catch {
    return;
  }
}

/** A sealed session hides its project; the folder it was put into still says it. */
function belongsTo(head: SessionHead, project: ProjectIdentity): boolean {
  if (head.project !== undefined) return sameProject(head.project, project);
  return head.sealed === true && basename(dirname(head.path)) === projectFolderName(project);
}
