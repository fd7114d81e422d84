import { basename, dirname, join } from "node:path";
import { type FilePrint, printOf, printsIn, refuseTouched } from "../additions/added-file.ts";
import { missingFolders, removeEmpty } from "../additions/made-folders.ts";
import type { Staging } from "../additions/running.ts";
import { isoTime } from "../base/clock.ts";
import { disk, exists } from "../base/disk.ts";
import { errnoOf, isRepriseError, RepriseError } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import { checkSessionId } from "../base/ids.ts";
import { asString, isObject } from "../base/json.ts";
import { temporaryName } from "../base/temporary-name.ts";
import type { Draft } from "../log/draft.ts";
import { record } from "../log/journal.ts";
import { journalEntries } from "../log/read-journal.ts";
import type { Secret } from "../log/seal.ts";
import type { EventBody, EventId, SessionStart } from "../model/event.ts";
import { renumbered } from "../model/renumber.ts";
import { Addition } from "./addition.ts";
import { isBelow } from "./bring-back.ts";
import { draftOf } from "./draft.ts";
import { FileLog } from "./file-log.ts";
import { fileNameOf, type Home } from "./home.ts";
import { concludeIntention, type Intention } from "./intention.ts";
import { refuseUsedId } from "./locate.ts";
import { identifyProject } from "./project.ts";
import { removeSession, settleLeaving } from "./remove.ts";
import { projectFolder } from "./sessions.ts";

/** An event from elsewhere: its number there, and what happened. */
export interface IncomingEvent {
  readonly number: string;
  readonly at?: string | undefined;
  readonly body: EventBody;
}

/** A session that was brought in. */
export interface Imported {
  readonly session: string;
  readonly file: string;
  readonly events: number;
  /** The journal entry that undoes it. */
  readonly entry: EventId;
}

const batchEvents = 256;

/** Where a session comes from: with the path of its file where no store holds it, which alone tells it from others. */
export interface ImportOrigin {
  readonly agent: string;
  readonly session: string;
  readonly path?: string;
}

/** What an import is made of. */
export interface ImportSource {
  readonly events: AsyncIterable<IncomingEvent>;
  readonly createdAt?: string | undefined;
  readonly from?: ImportOrigin;
  /** Seals the session. */
  readonly secret?: Secret | undefined;
}

/** A session that is whole and has not got its name yet. */
export interface StagedSession {
  readonly session: string;
  readonly last: EventId;
  readonly print: FilePrint;
  /** Gives it its name; throws `session_exists` if that is taken. */
  publish(): void;
  /** Removes what was staged; to be called in any case, also after it was published. */
  abandon(): void;
}

/**
 * Makes a native session of events from elsewhere, and an entry in the journal that `undo` takes back. All of it or
 * nothing, and never a part under its name, also where the process is killed.
 */
export async function importSession(
  home: Home,
  start: SessionStart,
  source: ImportSource,
): Promise<Imported> {
  const { from } = source;
  const addition = new Addition(home, kind, ({ print }) => {
    for (const added of printsIn([print])) removeImported(home, added);
  });
  return addition.during(async () => {
    const staged = await stageSession(home, start, { ...source, staging: addition.staging });
    const { session, last, print } = staged;
    const file = print.path;
    const data = { session, file, last, ...(from !== undefined && { from }) };
    try {
      addition.intend({ ...data, print });
      staged.publish();
    } finally {
      staged.abandon();
    }
    return { session, file, events: last, entry: addition.record(data) };
  });
}

/** The kind of the journal's entries about imports. */
const kind = "import";

/** The session that was brought in last from a place and is still there; undefined if there is none. */
export function importedBefore(
  home: Home,
  { agent, session, path }: ImportOrigin,
): string | undefined {
  const before = [...journalEntries(home.journal, [kind])].findLast(({ data }) => {
    const { from } = data;
    if (!isObject(from) || from["agent"] !== agent || from["session"] !== session) return false;
    return from["path"] === path && exists(asString(data["file"]) ?? "");
  });
  return asString(before?.data["session"]);
}

/**
 * Writes a native session of events from elsewhere beside its place. Times stay where they are times; numbers stay where
 * the source counts as we do, otherwise what points to them is moved along. A failure leaves nothing.
 */
export async function stageSession(
  home: Home,
  start: SessionStart,
  source: ImportSource & { readonly staging?: Pick<Staging, "announce"> | undefined },
): Promise<StagedSession> {
  checkSessionId(start.session);
  const project = start.project ?? identifyProject(start.cwd ?? home.root).identity;
  const folder = home.flat ? home.sessions : projectFolder(home, project);
  refuseUsedId(home, folder, start.session);
  const file = join(folder, fileNameOf(start.session));
  const temporary = temporaryName(file);
  const folders = missingFolders(folder);
  source.staging?.announce(temporary, folders);
  const log = FileLog.create(home, temporary, start, {
    sync: "none",
    createdAt: isoTime(source.createdAt),
    secret: source.secret,
  });
  const abandon = (): void => {
    disk.remove(temporary);
    removeEmpty(folders);
  };
  try {
    const last = await appendAll(log, source.events);
    log.flush();
    await log.close();
    const print = {
      ...printOf(temporary),
      path: file,
      ...(folders.length > 0 && { folders }),
    };
    failpoint("addition.staged");
    const publish = (): void => publishAs(home, temporary, file);
    return { session: start.session, last, print, publish, abandon };
  } catch (error) {
    await log.close();
    abandon();
    throw error;
  }
}

/** Somebody may have taken the id while the session was written. */
function publishAs(home: Home, temporary: string, file: string): void {
  refuseUsedId(home, dirname(file), basename(file, ".jsonl"));
  try {
    disk.link(temporary, file);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    throw new RepriseError("session_exists", `${file} already exists.`);
  }
  failpoint("addition.linked");
  disk.syncDirectory(dirname(file));
  failpoint("addition.published");
}

/** Takes an import back that a dead process did not finish; one that was changed since counts as finished. */
export async function settleImport(home: Home, intention: Intention): Promise<string> {
  const { id, data } = intention;
  const [print] = printsIn([data["print"]]);
  const session = asString(data["session"]) ?? "";
  if (print === undefined || !isBelow(home.sessions, print.path)) {
    concludeIntention(home, id, "it names no session of this store");
    return "An import that was killed names no session of this store.";
  }
  try {
    removeImported(home, print);
  } catch (error) {
    if (!isRepriseError(error, "conflict")) throw error;
    const { file, last, from } = data;
    record(home.journal, kind, { session, file, last, from, intention: id });
    return `The import of ${session} was killed, and the session was changed since; it stays.`;
  }
  failpoint("settle.taken-back");
  concludeIntention(home, id, "taken back");
  return `The import of ${session} was killed before it was done; it was undone.`;
}

/**
 * Removes an imported session, and what was made for it, as every session of ours is removed: forks may stand on it. Throws
 * `conflict` where it was changed since; one that is gone is passed over.
 */
export function removeImported(home: Home, print: FilePrint): void {
  refuseTouched([print]);
  if (exists(print.path)) removeSession(home, print.path, { archive: false });
  settleLeaving(home);
  removeEmpty(print.folders ?? []);
}

async function appendAll(log: FileLog, events: AsyncIterable<IncomingEvent>): Promise<EventId> {
  let last = log.lastId();
  const moved = new Map<EventId, EventId>();
  const renumber = (id: EventId): EventId => moved.get(id) ?? Math.min(id, last + batch.length);
  let batch: Draft[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await log.append(batch);
    batch = [];
  };
  for await (const { number, at, body } of events) {
    const id = last + batch.length + 1;
    const before = Number(number);
    if (Number.isSafeInteger(before) && before !== id) moved.set(before, id);
    const time = isoTime(at);
    batch.push({ ...draftOf(renumbered(body, renumber)), ...(time !== undefined && { at: time }) });
    if (batch.length < batchEvents) continue;
    await flush();
    last = log.lastId();
  }
  await flush();
  return log.lastId();
}
