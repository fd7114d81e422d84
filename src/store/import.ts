import { join } from "node:path";
import { isoTime } from "../base/clock.ts";
import { checkSessionId } from "../base/ids.ts";
import type { Draft } from "../log/draft.ts";
import { record } from "../log/journal.ts";
import type { Secret } from "../log/seal.ts";
import type { EventBody, EventId, SessionStart } from "../model/event.ts";
import { renumbered } from "../model/renumber.ts";
import { draftOf } from "./draft.ts";
import { FileLog } from "./file-log.ts";
import { fileNameOf, type Home } from "./home.ts";
import { refuseUsedId } from "./locate.ts";
import { identifyProject } from "./project.ts";
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
  /** The journal entry that undoes it; 0 where the journal was not told. */
  readonly entry: EventId;
}

const batchEvents = 256;

/**
 * Makes a native session of events from elsewhere. Times stay where they are times; numbers stay where the source counts as
 * we do, otherwise what points to them is moved along. All of it or nothing: a failure leaves no session.
 */
export async function importSession(
  home: Home,
  start: SessionStart,
  source: {
    readonly events: AsyncIterable<IncomingEvent>;
    readonly createdAt?: string | undefined;
    readonly from?: { readonly agent: string; readonly session: string };
    /** Seals the session. */
    readonly secret?: Secret | undefined;
    /** Whether the journal tells of it; a conversion writes an entry of its own. */
    readonly journal?: boolean;
  },
): Promise<Imported> {
  checkSessionId(start.session);
  const project = start.project ?? identifyProject(start.cwd ?? home.root).identity;
  const folder = home.flat ? home.sessions : projectFolder(home, project);
  refuseUsedId(home, folder, start.session);
  const file = join(folder, fileNameOf(start.session));
  const log = FileLog.create(home, file, start, {
    sync: "none",
    createdAt: isoTime(source.createdAt),
    secret: source.secret,
  });
  try {
    const last = await appendAll(log, source.events);
    log.flush();
    await log.close();
    const data = {
      session: start.session,
      file,
      last,
      ...(source.from !== undefined && { from: source.from }),
    };
    const entry = source.journal === false ? 0 : record(home.journal, "import", data);
    return { session: start.session, file, events: last, entry };
  } catch (error) {
    await log.discard();
    throw error;
  }
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
