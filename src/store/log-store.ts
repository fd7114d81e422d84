import { RepriseError } from "../base/errors.ts";
import type { EventBody, EventId, ForkBase, SessionEvent } from "../model/event.ts";
import type { OpenedSession, ReadRange } from "./contract.ts";
import { draftOf } from "./draft.ts";
import type { SessionLog } from "./session-log.ts";

/** What stores made of session logs have in common, wherever the logs lie. */
export abstract class LogStore {
  /** The log of a session; throws `not_found` where there is none. */
  protected abstract log(session: string): SessionLog;

  async open(session: string): Promise<OpenedSession> {
    return openedFrom(this.log(session));
  }

  async append(
    session: string,
    after: EventId | undefined,
    events: readonly EventBody[],
  ): Promise<readonly SessionEvent[]> {
    return this.log(session).append(events.map(draftOf), { after });
  }

  async *read(session: string, range: ReadRange = {}): AsyncGenerator<SessionEvent> {
    yield* this.log(session).events(range);
  }
}

/** What opening a log tells. */
export function openedFrom(log: SessionLog): OpenedSession {
  return { start: log.start, last: log.lastId() };
}

/** Where a fork of a log begins; throws `not_found` where there is no such event. */
export function baseAt(log: SessionLog, at: EventId | undefined): ForkBase {
  const base = log.forkBase(at);
  if (base !== undefined) return base;
  throw new RepriseError("not_found", `There is no event ${at} in session ${log.session}.`);
}

/** The error for a session that is not there. */
export function noSession(session: string): RepriseError {
  return new RepriseError("not_found", `There is no session ${session}.`);
}

/** The error for an id that is taken. */
export function takenId(session: string): RepriseError {
  return new RepriseError("session_exists", `Session ${session} is there already.`);
}
