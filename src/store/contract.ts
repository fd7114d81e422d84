import type { EventBody, EventFrame, EventId, SessionEvent, SessionStart } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";

/** Which sessions to tell of. */
export interface HeadsFilter {
  /** Only sessions of the project this folder belongs to. */
  readonly cwd?: string;
  readonly tag?: string;
  readonly limit?: number;
}

/** Which events to read. */
export interface ReadRange {
  readonly from?: EventId;
  readonly reverse?: boolean;
}

/** What opening a session tells. */
export interface OpenedSession {
  readonly start: SessionStart & EventFrame;
  readonly last: EventId;
}

/**
 * What every engine that keeps sessions must do. `reprise/testing` holds the suite that proves it:
 * files, memory and the databases are tested alike.
 */
export interface Store {
  /** Makes a session; throws `session_exists` where its id is taken. */
  create(start: SessionStart): Promise<OpenedSession>;
  /** Throws `not_found` where there is no such session. */
  open(session: string): Promise<OpenedSession>;
  /** Appends all events or none; throws `conflict` where `after` is not the last id (quiet events aside). */
  append(
    session: string,
    after: EventId | undefined,
    events: readonly EventBody[],
  ): Promise<readonly SessionEvent[]>;
  /** Events in order, or from the end with `reverse`, those of the bases included. */
  read(session: string, range?: ReadRange): AsyncIterable<SessionEvent>;
  /** Makes a session that shares everything up to an event. */
  fork(session: string, at: EventId | undefined, id: string): Promise<OpenedSession>;
  /** Newest first. */
  heads(filter?: HeadsFilter): AsyncIterable<SessionHead>;
  /** Removes a session; forks that stand on it stay whole. */
  remove(session: string): Promise<void>;
  close(): Promise<void>;
}
