import { basename, join, resolve, sep } from "node:path";
import { disk, exists } from "../base/disk.ts";
import { RepriseError } from "../base/errors.ts";
import { asArray, asNumber, asString, isObject, type JsonObject } from "../base/json.ts";
import { type JournalEntry, journalEntries, record } from "../log/journal.ts";
import type { EventId } from "../model/event.ts";
import { restoreArchived } from "./archive.ts";
import { FileLog } from "./file-log.ts";
import type { Home } from "./home.ts";
import { restoreMarks } from "./marks.ts";
import { removeSession } from "./remove.ts";

/** Takes one kind of entry back; returns a sentence that says what it did. */
export type Undo = (home: Home, data: JsonObject) => Promise<string>;

/** Each capability that writes to the journal says here how it is taken back. */
const undos = new Map<string, Undo>([
  ["import", undoImport],
  ["prune", undoPrune],
  ["mark", undoMark],
]);

/** Registers how entries of a kind are undone. */
export function registerUndo(kind: string, undo: Undo): void {
  undos.set(kind, undo);
}

/** The entries that can be undone, newest first. */
export function undoableEntries(home: Home): readonly JournalEntry[] {
  const undone = new Set<EventId>();
  const entries: JournalEntry[] = [];
  for (const entry of journalEntries(home.journal)) {
    if (entry.kind === "undone") undone.add(asNumber(entry.data["entry"]) ?? 0);
    else if (undos.has(entry.kind) && entry.data["replaces"] !== true) entries.push(entry);
  }
  return entries.filter(({ id }) => !undone.has(id)).reverse();
}

/** Undoes an entry, or the newest one; throws where what was added has been changed since. */
export async function undo(
  home: Home,
  id?: EventId,
): Promise<{ readonly entry: JournalEntry; readonly did: string }> {
  const entries = undoableEntries(home);
  const entry = id === undefined ? entries[0] : entries.find((candidate) => candidate.id === id);
  if (entry === undefined) {
    throw new RepriseError(
      "nothing_to_undo",
      id === undefined ? "There is nothing to undo." : `Entry ${id} cannot be undone.`,
    );
  }
  const did = await undos.get(entry.kind)!(home, entry.data);
  record(home.journal, "undone", { entry: entry.id });
  return { entry, did };
}

async function undoImport(home: Home, data: JsonObject): Promise<string> {
  const file = asString(data["file"]) ?? "";
  if (!isBelow(home.sessions, file))
    throw new RepriseError("bad_input", "The entry names no session of this store.");
  const log = FileLog.open(home, file);
  const last = log.lastId();
  await log.close();
  if (last !== asNumber(data["last"])) {
    throw new RepriseError(
      "conflict",
      `Session ${log.session} was changed since it was imported; it stays.`,
    );
  }
  removeSession(home, file, { archive: false });
  return `removed the imported session ${log.session}`;
}

async function undoPrune(home: Home, data: JsonObject): Promise<string> {
  let restored = 0;
  for (const removal of asArray(data["removed"]).filter(isObject)) {
    const archive = asString(removal["archive"]);
    const file = asString(removal["file"]);
    // Only into our own store, whatever the journal says.
    if (file === undefined || !isBelow(home.sessions, file)) continue;
    const hidden = join(home.bases, basename(file));
    if (exists(hidden)) disk.rename(hidden, file);
    else if (archive !== undefined && isBelow(home.archive, archive))
      await restoreArchived(archive, file);
    else continue;
    restored += 1;
  }
  return restored === 1 ? "brought 1 session back" : `brought ${restored} sessions back`;
}

function isBelow(folder: string, path: string): boolean {
  return resolve(path) === path && path.startsWith(`${folder}${sep}`);
}

async function undoMark(home: Home, data: JsonObject): Promise<string> {
  const agent = asString(data["agent"]) ?? "";
  const session = asString(data["session"]) ?? "";
  restoreMarks(home, { agent, session }, data["before"]);
  return `put the marks of ${agent}:${session} back`;
}
