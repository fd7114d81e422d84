import type { JsonObject } from "../base/json.ts";
import type { SessionMeta } from "../log/session-meta.ts";
import type { Damage } from "../model/damage.ts";
import type { EventBody, EventFrame, EventId, SessionEvent, SessionStart } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";
import type { SessionLog } from "./session-log.ts";

/** Which sessions to tell of. */
export interface HeadsFilter {
  /** Only sessions of the project this folder belongs to. */
  readonly cwd?: string;
  readonly tag?: string;
  /** Only sessions whose metadata has each of these fields with this value. */
  readonly metadata?: JsonObject;
  readonly limit?: number;
}

/** Which events to read. */
export interface ReadRange {
  /** The first id to give; with `reverse` the last. */
  readonly from?: EventId | undefined;
  readonly reverse?: boolean | undefined;
  /** Only `custom` events of this name. */
  readonly custom?: string | undefined;
  /** Hears of damage as it is met; a store that cannot be damaged never calls it. */
  readonly onDamage?: ((damage: Damage) => void) | undefined;
}

/** Which part of a path to read, on the way from its end to the root. */
export interface PathRange {
  /** Where to begin; the last event unless named. Throws `not_found` if there is no such event. */
  readonly from?: EventId | undefined;
  /** The lowest id to give. */
  readonly until?: EventId | undefined;
  /** How many events to give at most. */
  readonly limit?: number | undefined;
  readonly onDamage?: ((damage: Damage) => void) | undefined;
}

/** What to follow. */
export interface FollowOptions {
  /** The first id to give: what is there already comes at once. Only what is appended from now on, unless named. */
  readonly from?: EventId | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** What an append demands: the last id its author saw, quiet events aside, or the last id of all with `exactly`. */
export type After = EventId | { readonly exactly: EventId } | undefined;

/** What opening a session says. */
export interface OpenedSession {
  readonly start: SessionStart & EventFrame;
  readonly last: EventId;
  /** What is known of the whole session: title, tags, labels, pin, metadata. */
  readonly meta: SessionMeta;
  /** How much it holds, without what it shares with the session it was forked from. */
  readonly sizeBytes: number;
}

/**
 * The synchronous facet of a store: what a store offers that can answer at once. `SessionManager` runs on it; a store
 * without it is used through `AsyncSessionManager`.
 */
export interface SyncSessions {
  /** Makes a session, one that stands on another where `start` has a `base`; throws `session_exists`. */
  create(start: SessionStart): SessionLog;
  /** Opens a session, for one manager alone, which closes it; throws `not_found`. */
  open(session: string): SessionLog;
  /** Newest first. */
  heads(filter?: HeadsFilter): Iterable<SessionHead>;
}

/**
 * What every engine that keeps sessions must do. `reprise/testing` holds the suite that proves it:
 * files, memory and the databases are tested alike.
 */
export interface Store {
  /** Offered by a store that can answer at once. */
  readonly sync?: SyncSessions;
  /** Makes a session; throws `session_exists` where its id is taken. */
  create(start: SessionStart): Promise<OpenedSession>;
  /** Throws `not_found` if there is no such session. */
  open(session: string): Promise<OpenedSession>;
  /**
   * Appends all events or none, each with the next id and the one before as its parent (a rewind's is its `to`); throws
   * `conflict` with the last id in `details.last` where `after` does not hold.
   */
  append(
    session: string,
    after: After,
    events: readonly EventBody[],
  ): Promise<readonly SessionEvent[]>;
  /** Events in order, or from the end with `reverse`, those of the bases included; all branches. */
  read(session: string, range?: ReadRange): AsyncIterable<SessionEvent>;
  /** One event by its id, of the bases too; undefined if there is none. */
  event(session: string, id: EventId): Promise<SessionEvent | undefined>;
  /** The live path backwards: the last event, its parent, and so on to the root. Reads no more than is asked for. */
  path(session: string, range?: PathRange): AsyncIterable<SessionEvent>;
  /** Events as they are appended, by this process or another one, each once and in order, until the signal aborts. */
  follow(session: string, options?: FollowOptions): AsyncIterable<SessionEvent>;
  /** Makes a session that shares everything up to an event, the last one unless named; `start` has no `base` yet. */
  fork(session: string, at: EventId | undefined, start: SessionStart): Promise<OpenedSession>;
  /** Newest first. */
  heads(filter?: HeadsFilter): AsyncIterable<SessionHead>;
  /** Removes a session; forks that stand on it stay whole. */
  remove(session: string): Promise<void>;
  close(): Promise<void>;
}
