import { RepriseError } from "../base/errors.ts";
import type { EventBody, EventId, ForkBase, SessionEvent, SessionStart } from "../model/event.ts";
import type { After, FollowOptions, OpenedSession, PathRange, ReadRange } from "./contract.ts";
import { draftOf } from "./draft.ts";
import { followLog } from "./follow.ts";
import { demandOf } from "./next-events.ts";
import { pathBack } from "./path-back.ts";
import { readEvents } from "./read-events.ts";
import type { SessionLog } from "./session-log.ts";

/** What stores made of session logs have in common, wherever the logs lie. */
export abstract class LogStore {
  /** The log of a session; throws `not_found` if there is none. */
  protected abstract log(session: string): SessionLog;

  abstract create(start: SessionStart): Promise<OpenedSession>;

  async fork(
    session: string,
    at: EventId | undefined,
    start: SessionStart,
  ): Promise<OpenedSession> {
    const log = this.log(session);
    const { seal } = log.start;
    // One key for the whole lineage: what is read in the base is opened with it too.
    return this.create({ ...start, base: baseAt(log, at), ...(seal !== undefined && { seal }) });
  }

  async open(session: string): Promise<OpenedSession> {
    return openedFrom(this.log(session));
  }

  async append(
    session: string,
    after: After,
    events: readonly EventBody[],
  ): Promise<readonly SessionEvent[]> {
    return this.log(session).append(events.map(draftOf), demandOf(after));
  }

  async *read(session: string, range?: ReadRange): AsyncGenerator<SessionEvent> {
    yield* readEvents(this.log(session), { ...range, raw: true });
  }

  async event(session: string, id: EventId): Promise<SessionEvent | undefined> {
    return eventIn(this.log(session), id);
  }

  async *path(session: string, range?: PathRange): AsyncGenerator<SessionEvent> {
    yield* pathBack(this.log(session), range);
  }

  async *follow(session: string, options?: FollowOptions): AsyncGenerator<SessionEvent> {
    yield* followLog(this.log(session), options);
  }
}

/** One event of a log by its id; undefined if there is none. */
export function eventIn(log: SessionLog, id: EventId): SessionEvent | undefined {
  for (const event of log.events({ from: id, raw: true }))
    return event.id === id ? event : undefined;
  return undefined;
}

/** What opening a log says. */
export function openedFrom(log: SessionLog): OpenedSession {
  return { start: log.start, last: log.lastId(), meta: log.meta(), sizeBytes: log.sizeBytes() };
}

/** Where a fork of a log begins; throws `not_found` if there is no such event. */
export function baseAt(log: SessionLog, at: EventId | undefined): ForkBase {
  const base = log.forkBase(at);
  if (base !== undefined) return base;
  throw noEvent(log.session, at);
}

/** The error for an event that is not there. */
export function noEvent(session: string, event: EventId | undefined): RepriseError {
  return new RepriseError("not_found", `There is no event ${event} in session ${session}.`);
}

/** The error for a session that is not there. */
export function noSession(session: string): RepriseError {
  return new RepriseError("not_found", `There is no session ${session}.`);
}

/** The error for an id that is taken. */
export function takenId(session: string): RepriseError {
  return new RepriseError("session_exists", `Session ${session} already exists.`);
}
