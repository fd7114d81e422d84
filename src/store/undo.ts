import { isStillLast, type PiecePrint, pieceIn, removePiece } from "../additions/added-piece.ts";
import { exists } from "../base/disk.ts";
import { type Environment, processEnvironment } from "../base/env.ts";
import { isRepriseError, RepriseError } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import { asArray, asNumber, asString, isObject, type JsonObject } from "../base/json.ts";
import { record } from "../log/journal.ts";
import { type JournalEntry, journalEntries } from "../log/read-journal.ts";
import type { EventId } from "../model/event.ts";
import { bringBack, isBelow } from "./bring-back.ts";
import { describeEntry, type UndoableEntry } from "./describe-entry.ts";
import { FileLog } from "./file-log.ts";
import type { Home } from "./home.ts";
import { isGroup, removeGroup } from "./import-group.ts";
import { concludeIntention, type Intention, intend, settledKind } from "./intention.ts";
import { restoreMarks } from "./mark-session.ts";
import { marksIn } from "./marks.ts";
import { marksBack } from "./marks-back.ts";
import { removeSession, settleLeaving } from "./remove.ts";
import { undoSource } from "./sources.ts";
import { undoRewind } from "./undo-rewind.ts";

/** What an undo did, and what it had to leave in files that others write to as well. */
export type Undone = string | { readonly did: string; readonly left: readonly PiecePrint[] };

/**
 * Takes one kind of entry back; returns a sentence that says what it did. What is back already is passed over: an undo
 * that was killed is done again.
 */
export type Undo = (
  home: Home,
  data: JsonObject,
  env: Environment,
  /** The intention of this undo, the same where a killed one is done again. */
  which: { readonly intention: EventId },
) => Promise<Undone>;

/** Each capability that writes to the journal says here how it is taken back. */
const undos = new Map<string, Undo>([
  ["import", undoImport],
  ["prune", undoPrune],
  ["mark", undoMark],
  ["rewind", undoRewind],
  ["source", undoSource],
]);

/** The kind of the journal's entries about what was forgotten for good; `closes` names the entries about it. */
export const forgottenKind = "forgotten";

/** Registers how entries of a kind are undone. */
export function registerUndo(kind: string, undo: Undo): void {
  undos.set(kind, undo);
}

/** Whether entries of a kind can be undone. */
export function isUndoable(kind: string): boolean {
  return undos.has(kind);
}

/** The entries that can be undone, newest first; what was done in one go is one entry, with its other `parts`. */
export function undoableEntries(home: Home): readonly JournalEntry[] {
  const open = openEntries(home);
  const parts = new Map<unknown, JsonObject[]>();
  for (const { data } of open)
    if (data["intention"] !== undefined) parts.set(data["intention"], []);
  const isPart = ({ data }: JournalEntry): boolean => parts.has(data["of"]);
  for (const { data } of open.filter(isPart).reverse()) parts.get(data["of"])!.push(data);
  return open
    .filter((entry) => !isPart(entry))
    .map((entry) => ({
      ...entry,
      data: { ...entry.data, parts: parts.get(entry.data["intention"]) ?? [] },
    }));
}

/** What was done as a part of an intention and is not undone, such as moving the conversation with the files. */
export function companionsOf(home: Home, intention: EventId): readonly JournalEntry[] {
  return openEntries(home).filter(({ data }) => data["of"] === intention);
}

function openEntries(home: Home): readonly JournalEntry[] {
  const open = new Map<EventId, JournalEntry[]>();
  for (const entry of journalEntries(home.journal)) {
    const { id, kind, data } = entry;
    if (kind === "undone" || kind === forgottenKind)
      for (const number of [data["entry"], ...asArray(data["also"]), ...asArray(data["closes"])])
        open.delete(asNumber(number) ?? 0);
    if (!undos.has(kind) || data["replaces"] === true) continue;
    const begun = open.get(asNumber(data["continues"]) ?? 0);
    // What a prune removed after it was undone stands by itself.
    if (kind === "prune" && begun?.[0]?.kind === "prune") begun.push(entry);
    else open.set(id, [entry]);
  }
  return [...open.values()].map(joined).reverse();
}

/** The first of the entries, with what all of them removed. */
function joined(entries: readonly JournalEntry[]): JournalEntry {
  const first = entries[0]!;
  if (entries.length === 1) return first;
  const removed = entries.flatMap(({ data }) => asArray(data["removed"]));
  return { ...first, data: { ...first.data, removed } };
}

/**
 * The entry of a number, or the newest one; throws `nothing_to_undo` where there is none, and where something was forgotten
 * for good after the newest one: nobody who wants that back means an older change.
 */
export function entryToUndo(home: Home, id?: EventId): JournalEntry {
  const entries = undoableEntries(home);
  const entry = id === undefined ? entries[0] : entries.find((candidate) => candidate.id === id);
  if (id === undefined) refuseAfterForgetting(home, entry);
  if (entry !== undefined) return entry;
  if (id !== undefined) throw new RepriseError("nothing_to_undo", `Entry ${id} cannot be undone.`);
  throw new RepriseError("nothing_to_undo", "There is nothing to undo.", {
    hint: "Changes of sessions, files, memories and agents' settings can be undone; a forgotten memory stays forgotten.",
  });
}

function refuseAfterForgetting(home: Home, before: JournalEntry | undefined): void {
  let last: JournalEntry | undefined;
  for (const entry of journalEntries(home.journal))
    if (entry.kind === "undone" || entry.kind === forgottenKind || undos.has(entry.kind))
      last = entry;
  if (last?.kind !== forgottenKind) return;
  const count = asNumber(last.data["count"]) ?? 1;
  const what = count === 1 ? "a memory was forgotten" : `${count} memories were forgotten`;
  const hint =
    before === undefined
      ? "There is nothing else to undo."
      : `Before that: ${describeEntry(home, before).says}. \`reprise undo ${before.id}\` undoes it.`;
  throw new RepriseError("nothing_to_undo", `The last change cannot be undone: ${what} for good.`, {
    hint,
  });
}

/** What was undone, and what that did: as one sentence, and as its steps. */
export interface Taken {
  readonly undone: UndoableEntry;
  readonly did: string;
  readonly steps: readonly string[];
}

/** Undoes an entry, or the newest one; throws where what was added has been changed since. */
export async function undo(
  home: Home,
  id?: EventId,
  env: Environment = processEnvironment(),
): Promise<Taken> {
  const entry = entryToUndo(home, id);
  // Before it is taken back: what it was about may be gone then.
  const undone = describeEntry(home, entry);
  const intention = intend(home, "undo", { entry: entry.id });
  failpoint("undo.intended");
  let taken: Undone;
  try {
    taken = await undos.get(entry.kind)!(home, entry.data, env, { intention });
  } catch (error) {
    concludeIntention(home, intention, "it could not be undone");
    throw error;
  }
  failpoint("undo.taken-back");
  const also = await undoCompanions(home, entry, { env, intention });
  const steps = recordUndone(home, { entry: entry.id, intention }, [taken, also]);
  return { undone, did: fewOf(steps), steps };
}

/** Undoes what was done along with an entry; what others changed since stays, and is named. */
async function undoCompanions(
  home: Home,
  { data }: JournalEntry,
  { env, intention }: { readonly env: Environment; readonly intention: EventId },
): Promise<Undoing> {
  const undoings: Undoing[] = [];
  for (const { id, kind, data: own } of companionsOf(home, asNumber(data["intention"]) ?? -1)) {
    try {
      const undone = await undos.get(kind)!(home, own, env, { intention });
      undoings.push({ ...undoingOf(undone), also: [id] });
    } catch (error) {
      if (!isRepriseError(error)) throw error;
      undoings.push({ steps: [error.message], left: [], also: [] });
    }
  }
  return joinedUndoings(undoings);
}

interface Undoing {
  readonly steps: readonly string[];
  readonly left: readonly PiecePrint[];
  readonly also: readonly EventId[];
}

function undoingOf(undone: Undone): Undoing {
  const { did, left } = typeof undone === "string" ? { did: undone, left: [] } : undone;
  return { steps: did === "" ? [] : [did], left, also: [] };
}

function joinedUndoings(undoings: readonly Undoing[]): Undoing {
  return {
    steps: undoings.flatMap(({ steps }) => steps),
    left: undoings.flatMap(({ left }) => left),
    also: undoings.flatMap(({ also }) => also),
  };
}

function recordUndone(
  home: Home,
  which: { readonly entry: EventId; readonly intention: EventId },
  [undone, companions]: readonly [Undone, Undoing],
): readonly string[] {
  const { steps, left, also } = joinedUndoings([undoingOf(undone), companions]);
  record(home.journal, "undone", {
    ...which,
    ...(also.length > 0 && { also }),
    ...(left.length > 0 && { left }),
  });
  return [
    ...steps,
    ...left.map(({ path }) => `a line of ${path} stays until what was written after it is removed`),
    ...cutLeft(home),
  ];
}

/** Cuts off what earlier undos had to leave in shared files, where it came to be the end. */
function cutLeft(home: Home): readonly string[] {
  const pieces = [...journalEntries(home.journal)]
    .filter(({ kind }) => kind === "undone" || kind === settledKind)
    .flatMap(({ data }) => asArray(data["left"]).flatMap((piece) => pieceIn(piece) ?? []));
  return pieces.toReversed().flatMap((piece) => {
    if (!isStillLast(piece)) return [];
    removePiece(piece);
    return [`removed a line that an earlier undo had left in ${piece.path}`];
  });
}

/** Finishes an undo that a dead process began; where something stands in its way the entry can be undone later. */
export async function settleUndo(
  home: Home,
  { id, data }: Intention,
  env: Environment,
): Promise<string> {
  const entry = undoableEntries(home).find((candidate) => candidate.id === data["entry"]);
  if (entry === undefined) {
    concludeIntention(home, id, "there is nothing to undo");
    return "An undo was killed; there is nothing left to undo of it.";
  }
  try {
    const undone = await undos.get(entry.kind)!(home, entry.data, env, { intention: id });
    failpoint("settle.taken-back");
    const also = await undoCompanions(home, entry, { env, intention: id });
    const steps = recordUndone(home, { entry: entry.id, intention: id }, [undone, also]);
    return `An undo was killed before it was done; it was finished: ${fewOf(steps)}.`;
  } catch (error) {
    if (!isRepriseError(error)) throw error;
    concludeIntention(home, id, error.message);
    return `An undo was killed and cannot be finished: ${error.message}`;
  }
}

async function undoImport(home: Home, data: JsonObject): Promise<string> {
  if (isGroup(data)) {
    const { removed, kept } = await removeGroup(home, data);
    const stay =
      kept.length === 0 ? "" : `, ${sessionsOf(kept.length)} changed since stay (${fewOf(kept)})`;
    return `removed ${sessionsOf(removed)} of the import${stay}`;
  }
  const file = asString(data["file"]) ?? "";
  if (!isBelow(home.sessions, file))
    throw new RepriseError("bad_input", "The entry names no session of this store.");
  if (!exists(file)) {
    settleLeaving(home);
    return "found the imported session gone";
  }
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

/**
 * What is there already is passed over, so an undo that was interrupted can be finished. It counts as done
 * where the rest is gone for good, but not while something stands in its way.
 */
async function undoPrune(home: Home, data: JsonObject): Promise<string> {
  const counts = { came: 0, was: 0 };
  const gone: string[] = [];
  const blocked: string[] = [];
  for (const removal of asArray(data["removed"]).filter(isObject)) {
    try {
      counts[await bringBack(home, removal)] += 1;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const told = isRepriseError(error, "not_found") ? gone : blocked;
      told.push(`${asString(removal["session"]) ?? "a session"}: ${why}`);
    }
  }
  const did = [
    `brought ${sessionsOf(counts.came)} back`,
    ...(counts.was > 0 ? [`${counts.was} there already`] : []),
    ...(gone.length > 0 ? [`${gone.length} gone for good (${fewOf(gone)})`] : []),
  ].join(", ");
  if (blocked.length > 0) {
    throw new RepriseError(
      "conflict",
      `${sessionsOf(blocked.length)} cannot come back yet (${fewOf(blocked)}); ${did}.`,
      { hint: "What was restored stays. Move what is in the way, then undo the same entry again." },
    );
  }
  if (counts.came + counts.was === 0) {
    throw new RepriseError("nothing_to_undo", `Nothing can be brought back: ${fewOf(gone)}.`, {
      hint: "Give the number of another entry; `reprise undo --list` shows them.",
    });
  }
  return did;
}

function sessionsOf(count: number): string {
  return count === 1 ? "1 session" : `${count} sessions`;
}

const toldReasons = 3;

function fewOf(reasons: readonly string[]): string {
  const more = reasons.length - toldReasons;
  return [...reasons.slice(0, toldReasons), ...(more > 0 ? [`${more} more`] : [])].join("; ");
}

async function undoMark(home: Home, data: JsonObject): Promise<string> {
  const agent = asString(data["agent"]) ?? "";
  const session = asString(data["session"]) ?? "";
  restoreMarks(home, { agent, session }, data["before"]);
  return marksBack({ before: marksIn(data["before"]), change: marksIn(data["change"]) });
}
