import { type Environment, processEnvironment } from "../base/env.ts";
import { RepriseError } from "../base/errors.ts";
import { asArray, asNumber, type JsonObject } from "../base/json.ts";
import { type JournalEntry, journalEntries } from "../log/read-journal.ts";
import type { EventId } from "../model/event.ts";
import { describeEntry } from "./describe-entry.ts";
import type { Home } from "./home.ts";
import { isUndoable } from "./undo.ts";

/** Something that was undone, as the journal has it. */
export interface UndoneDeed {
  readonly entry: EventId;
  readonly data: JsonObject;
  /** The intention of the undo. */
  readonly intention: EventId;
}

/** Does a part of it again, for the intention it is given; returns the new entry's number. */
export type Alongside = (of: EventId) => Promise<EventId>;

/**
 * Does again what was undone, and writes an entry that says `redoes`; returns a sentence that says what it did. What went
 * along with it is done again by calling `alongside`.
 */
export type Redo = (
  home: Home,
  undone: UndoneDeed,
  env: Environment,
  alongside: Alongside | undefined,
) => Promise<string>;

/** Does a companion of another deed again, as a part of `of` where there is one; returns the new entry. */
export type RedoCompanion = (
  home: Home,
  undone: UndoneDeed,
  env: Environment,
  of: EventId | undefined,
) => Promise<{ readonly entry: EventId; readonly did: string }>;

/** Whether an entry of a kind can be done again, where not all of the kind can. */
export type Redoable = (data: JsonObject) => boolean;

const redos = new Map<string, Redo>();
const redoables = new Map<string, Redoable>();
const companions = new Map<string, RedoCompanion>();

/** Registers how entries of a kind are done again. */
export function registerRedo(kind: string, redo: Redo): void {
  redos.set(kind, redo);
}

/** Registers how entries of a kind are done again that may go along with others. */
export function registerRedoCompanion(
  kind: string,
  redo: RedoCompanion,
  redoable: Redoable = () => true,
): void {
  companions.set(kind, redo);
  redoables.set(kind, redoable);
  redos.set(kind, async (home, undone, env) => (await redo(home, undone, env, undefined)).did);
}

/** Whether what an entry did can be done again. */
export function isRedoable({ kind, data }: JournalEntry): boolean {
  return redos.has(kind) && redoables.get(kind)?.(data) !== false;
}

/** An entry that was undone, how, and what was undone along with it. */
export interface RedoableEntry {
  readonly entry: JournalEntry;
  readonly intention: EventId;
  readonly also: readonly EventId[];
}

/** What was undone last and can be done again; undefined where anything else was done since. */
export function redoableEntry(home: Home): RedoableEntry | undefined {
  const known = new Map<EventId, JournalEntry>();
  const undone: RedoableEntry[] = [];
  for (const entry of journalEntries(home.journal)) {
    const { id, kind, data } = entry;
    if (kind === "undone") {
      const of = known.get(asNumber(data["entry"]) ?? 0);
      const also = asArray(data["also"]).flatMap((number) => asNumber(number) ?? []);
      if (of !== undefined)
        undone.push({ entry: of, intention: asNumber(data["intention"]) ?? 0, also });
    } else if (isUndoable(kind)) {
      known.set(id, entry);
      // A companion comes before the entry it goes along with.
      if (data["redoes"] !== undefined) undone.pop();
      else if (data["of"] === undefined) undone.length = 0;
    }
  }
  return undone.at(-1);
}

/** Does again what was undone last; throws `nothing_to_undo` where nothing was, or something else was done since. */
export async function redo(
  home: Home,
  env: Environment = processEnvironment(),
): Promise<{ readonly entry: JournalEntry; readonly did: string }> {
  const found = redoableEntry(home);
  if (found === undefined) {
    throw new RepriseError("nothing_to_undo", "There is nothing to redo.", {
      hint: "`reprise redo` goes forward directly after `reprise undo`.",
    });
  }
  const { entry, intention, also } = found;
  if (!isRedoable(entry)) {
    throw new RepriseError(
      "unsupported",
      `This cannot be redone: ${describeEntry(home, entry).says}.`,
      {
        hint: "Run its command again.",
      },
    );
  }
  const entries = [...journalEntries(home.journal)];
  const [companion] = entries.filter(({ id }) => also.includes(id));
  const did: string[] = [];
  const alongside =
    companion && companions.has(companion.kind)
      ? async (of: EventId): Promise<EventId> => {
          const deed = { entry: companion.id, data: companion.data, intention };
          const done = await companions.get(companion.kind)!(home, deed, env, of);
          did.push(done.did);
          return done.entry;
        }
      : undefined;
  const deed = { entry: entry.id, data: entry.data, intention };
  did.unshift(await redos.get(entry.kind)!(home, deed, env, alongside));
  return { entry, did: did.join("; ") };
}
