import type { Bell } from "../base/bell.ts";
import type { Draft } from "../log/draft.ts";
import type { SessionMeta } from "../log/session-meta.ts";
import type { Step } from "../log/walk.ts";
import type { AppendOptions } from "../log/writer-options.ts";
import type { Damage } from "../model/damage.ts";
import type { EventFrame, EventId, ForkBase, SessionEvent, SessionStart } from "../model/event.ts";
import type { ReadRange } from "./contract.ts";

/** An event's place in the tree, without its content. */
export interface Shape {
  readonly id: EventId;
  readonly parent: EventId | undefined;
  readonly type: string;
}

/** Which events of a log to read. */
export interface EventsOptions extends Omit<ReadRange, "custom"> {
  /** Parts as they were written, for who copies a log or follows it; else each text is one event. */
  readonly raw?: boolean | undefined;
}

/** What reading a session from end to end found. */
export interface SessionVerification {
  /** The events of the lineage whose lines are whole. */
  readonly events: number;
  readonly problems: readonly Damage[];
  /** False where the session is sealed and nobody has the key: then only what can be read was checked. */
  readonly isOpened: boolean;
}

/** One open session, whatever holds it: a file or memory. Everything a session does is built on this. */
export interface SessionLog {
  readonly session: string;
  readonly file: string | undefined;
  readonly start: SessionStart & EventFrame;
  /** The id of the last event, as far as others have written it too. */
  lastId(): EventId;
  sizeBytes(): number;
  meta(): SessionMeta;
  append(drafts: readonly Draft[], options?: AppendOptions): Promise<readonly SessionEvent[]>;
  appendSync(drafts: readonly Draft[], options?: AppendOptions): readonly SessionEvent[];
  /** From an event, or the last one, to the root; what came in parts is one event. */
  path(from?: EventId): Iterable<Step>;
  /** Every event of the lineage in order, all branches; what came in parts is one event. */
  events(options?: EventsOptions): Iterable<SessionEvent>;
  shapes(): Iterable<Shape>;
  /** Checks every line of the lineage; reports at least what any reader of it would. */
  verify(): SessionVerification;
  /** Whether an event is in the lineage. */
  has(event: EventId): boolean;
  /** What a fork at an event must name; undefined if there is no such event. The base is durable afterwards. */
  forkBase(at?: EventId): ForkBase | undefined;
  /** Rings when there may be new events, no matter who appended them. */
  bell(signal?: AbortSignal): Bell;
  close(): Promise<void>;
}
