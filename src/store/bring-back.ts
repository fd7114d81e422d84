import { basename, dirname, join, resolve, sep } from "node:path";
import { disk, exists } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { RepriseError } from "../base/errors.ts";
import { asArray, asString, isObject, type JsonObject } from "../base/json.ts";
import type { EventFrame, SessionStart } from "../model/event.ts";
import { archivesOf, restoreArchived } from "./archive.ts";
import { fileNameOf, type Home } from "./home.ts";
import { checkDepth } from "./lineage.ts";
import { findBaseFile } from "./locate.ts";
import { startOfFile } from "./remove.ts";

type Started = SessionStart & EventFrame;

/** When each session was begun, as far as the journal says. */
type BegunAt = ReadonlyMap<string, string>;

/**
 * Brings a removed session back as the journal reports it, and what it was forked from before it. Says
 * whether it `came` back or `was` there already. Throws `not_found` if no copy is left, `conflict` where
 * another session has its name.
 */
export async function bringBack(home: Home, removal: JsonObject): Promise<"came" | "was"> {
  const file = asString(removal["file"]) ?? "";
  // Only into our own store, whatever the journal says.
  if (!isBelow(home.sessions, file)) {
    throw new RepriseError("bad_input", "The entry names no session of this store.");
  }
  const session = asString(removal["session"]) ?? basename(file, ".jsonl");
  const begun = begunTimes([removal, ...asArray(removal["standsOn"])]);
  const found = exists(file) ? file : findBaseFile(home, session, file);
  if (found !== undefined) {
    const start = startOfFile(found);
    refuseAnother(session, start, begun);
    await bringBaseBack(home, { start, file: found }, begun);
    if (dirname(found) === home.bases) return moveBack(found, file);
    if (basename(found) === basename(file)) return "was";
  }
  const archive = asString(removal["archive"]);
  if (archive === undefined || !isBelow(home.archive, archive) || !exists(archive)) {
    throw new RepriseError("not_found", "no copy of it was kept");
  }
  await restoreArchived(archive, file, async (start) => {
    await bringBaseBack(home, { start, file }, begun);
    return true;
  });
  // A removal of its base that was under way may not have seen it yet.
  await bringBaseBack(home, { start: startOfFile(file), file }, begun);
  return "came";
}

/** Whether a path from outside lies in a folder. */
export function isBelow(folder: string, path: string): boolean {
  return resolve(path) === path && path.startsWith(`${folder}${sep}`);
}

function begunTimes(told: readonly unknown[]): BegunAt {
  const times = new Map<string, string>();
  for (const { session, begunAt } of told.filter(isObject)) {
    if (typeof session === "string" && typeof begunAt === "string") times.set(session, begunAt);
  }
  return times;
}

function isAnother(session: string, start: Started, begun: BegunAt): boolean {
  return start.session !== session || (begun.get(session) ?? start.at) !== start.at;
}

function refuseAnother(session: string, start: Started, begun: BegunAt): void {
  if (!isAnother(session, start, begun)) return;
  throw new RepriseError("conflict", `another session is called ${session} now`);
}

function moveBack(hidden: string, file: string): "came" {
  makeDurableDirectory(dirname(file), disk);
  disk.rename(hidden, file);
  disk.syncDirectory(dirname(file));
  disk.syncDirectory(dirname(hidden));
  return "came";
}

/** Sees to it that what a fork stands on is there, down to the root; hidden, because nobody asked for it. */
async function bringBaseBack(
  home: Home,
  fork: { readonly start: Started; readonly file: string },
  begun: BegunAt,
  depth = 0,
): Promise<void> {
  const { base } = fork.start;
  if (base === undefined) return;
  checkDepth(depth + 1);
  const { session } = base;
  const found = findBaseFile(home, session, fork.file);
  if (found !== undefined) {
    const start = startOfFile(found);
    refuseAnother(session, start, begun);
    return bringBaseBack(home, { start, file: found }, begun, depth + 1);
  }
  const file = join(home.bases, fileNameOf(session));
  const approve = async (start: Started): Promise<boolean> => {
    if (isAnother(session, start, begun)) return false;
    await bringBaseBack(home, { start, file }, begun, depth + 1);
    return true;
  };
  for (const archived of archivesOf(home, session)) {
    if (await restoreArchived(archived, file, approve)) return;
  }
  throw new RepriseError("not_found", `no copy was kept of session ${session} that it began with`);
}
