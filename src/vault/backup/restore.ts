import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { isUntouched, printsIn, removeAdded } from "../../additions/added-file.ts";
import type { Search } from "../../agents/find-sessions.ts";
import { atomicWrite } from "../../base/atomic-write.ts";
import { disk, exists } from "../../base/disk.ts";
import { makeDurableDirectory } from "../../base/durable-directory.ts";
import { RepriseError } from "../../base/errors.ts";
import { failpoint } from "../../base/failpoint.ts";
import { smallFile } from "../../base/folders.ts";
import { asArray, asString, isObject, type JsonObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { EventId } from "../../model/event.ts";
import { Addition } from "../../store/addition.ts";
import { isBelow } from "../../store/bring-back.ts";
import { type Copy, copyIn, forgetCopy, recordCopy } from "../../store/copies.ts";
import { copySession } from "../../store/copy/copy.ts";
import { FileSessions } from "../../store/copy/file-sessions.ts";
import { FileLog } from "../../store/file-log.ts";
import { type Home, userHome } from "../../store/home.ts";
import { removeGroup } from "../../store/import-group.ts";
import { concludeIntention, registerSettling } from "../../store/intention.ts";
import { findSessionFile } from "../../store/locate.ts";
import { restoreMarks } from "../../store/mark-session.ts";
import { markOf, marksIn, marksOf, namedBy } from "../../store/marks.ts";
import { registerUndo } from "../../store/undo.ts";
import { copyFile } from "./carry.ts";
import type { RestorePlan } from "./plan.ts";

const kind = "restored-backup";

/** Adds what a plan says; returns the entry of the journal that takes all of it back. A kill leaves nothing behind. */
export async function restoreSessions(
  plan: RestorePlan,
  { env }: Search,
  onRestored: (bytes: number) => void = () => undefined,
): Promise<EventId> {
  const home = userHome(env);
  const files = plan.sessions.flatMap((session) => session.files);
  const own = plan.own.filter(({ action }) => action === "copy");
  const from = userHome(plan.from);
  const store = new FileSessions(from.root, from);
  const into = new FileSessions(home.root, home);
  const addition = new Addition(home, kind, async (data) => takeBack(home, data));
  return addition.during(async () => {
    const list = writeList(home, {
      files: files.map(({ print }) => print),
      sessions: await Promise.all(own.map(async ({ session }) => lastOf(from, session.session))),
      marks: plan.marks,
      copies: plan.copies,
    });
    const sessions = plan.sessions.filter(
      ({ action, isSubagent }) => action === "add" && !isSubagent,
    );
    const count = sessions.length + own.filter(({ session }) => !session.isHidden).length;
    const data = { backup: plan.backup, list, count };
    addition.intend(data);
    for (const { print, modifiedMs, ...file } of files) {
      const { staging } = addition;
      copyFile(file, { modifiedMs, sha256: print.sha256, staging });
      onRestored(print.sizeBytes);
    }
    for (const { session } of own) onRestored(copySession(store, into, session).sizeBytes);
    for (const mark of plan.marks) restoreMarks(home, mark, mark);
    for (const copy of plan.copies) recordCopy(home, copy);
    return addition.record(data);
  });
}

/** What is added, in a file of its own: it may be too long for a line of the journal. */
function writeList(home: Home, list: object): string {
  const folder = listsOf(home);
  makeDurableDirectory(folder, disk);
  const path = join(folder, `${randomBytes(8).toString("hex")}.json`);
  atomicWrite(path, JSON.stringify(list));
  return path;
}

function listsOf(home: Home): string {
  return join(home.root, "restored");
}

/** A session of a backup and its last event, which says later whether it was changed. */
async function lastOf(from: Home, session: string): Promise<JsonObject> {
  const log = FileLog.open(from, findSessionFile(from, session, { bases: true }) ?? "");
  const last = log.lastId();
  await log.close();
  return { session, last };
}

/** Removes what was added and is as it was; what was changed since stays. Says what became of it. */
async function takeBack(home: Home, data: JsonObject): Promise<string> {
  const path = asString(data["list"]) ?? "";
  if (!isBelow(listsOf(home), path))
    throw new RepriseError("bad_input", "The entry names no list of this store.");
  const list = parseObject(smallFile(path, limits.backupListingBytes) ?? "");
  if (list === undefined) return "what was restored is gone already";
  const there = printsIn(list["files"]).filter((print) => exists(print.path));
  const untouched = there.filter(isUntouched);
  removeAdded(untouched);
  const sessions = asArray(list["sessions"])
    .filter(isObject)
    .flatMap((one) => {
      const file = findSessionFile(home, asString(one["session"]) ?? "");
      return file === undefined ? [] : [{ ...one, file }];
    });
  const { kept } = await removeGroup(home, { sessions });
  for (const mark of asArray(list["marks"]).filter(isObject)) unmark(home, mark);
  const stays = new Set([...there.map(({ path: file }) => file).filter(exists), ...kept]);
  for (const copy of asArray(list["copies"]).flatMap((one) => copyIn(one) ?? []))
    if (!isStill(copy, stays)) forgetCopy(home, copy);
  disk.remove(path);
  const stay = there.length - untouched.length + kept.length;
  return `removed what was restored${stay === 0 ? "" : `; ${stay} changed since and stay`}`;
}

/** Whether a copy is among the files and the sessions of our own that stay. */
function isStill({ session, files }: Copy, stays: ReadonlySet<string>): boolean {
  return files.some(({ path }) => stays.has(path)) || stays.has(namedBy(session).session);
}

/** Takes a mark away unless the user has said something else since. */
function unmark(home: Home, mark: JsonObject): void {
  const session = {
    agent: asString(mark["agent"]) ?? "",
    session: asString(mark["session"]) ?? "",
  };
  const now = markOf(marksOf(home), session);
  if (JSON.stringify(now) === JSON.stringify(marksIn(mark))) restoreMarks(home, session, {});
}

/** Lets `undo` take a restored backup back, and later commands what a killed one added. */
export function registerBackups(): void {
  registerUndo(kind, takeBack);
  registerSettling(kind, async (home, { id, data }) => {
    const did = await takeBack(home, data);
    failpoint("settle.taken-back");
    concludeIntention(home, id, "taken back");
    return `Restoring a backup was killed before it was done: ${did}.`;
  });
}
