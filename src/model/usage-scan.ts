import type { JsonObject } from "../base/json.ts";

/** What a session of our own was brought in from. */
export interface Import {
  readonly agent: string;
  readonly session: string;
  /** The last event that was brought in. */
  readonly last: number;
}

/** What a scan learnt of a session besides its rows. */
export interface SessionFacts {
  /** The session as the records name it, where its place does not tell the whole name. */
  readonly session?: string;
  readonly cwd?: string;
  /** The session whose subagent this is. */
  readonly parent?: string;
  /** The session whose rows this file repeats at its beginning. */
  readonly forkOf?: string;
  /** When the session was begun, where its file holds others too. */
  readonly begunMs?: number;
  /** What its first rows were brought in from. */
  readonly imported?: Import;
}

/** What could not be counted, so that a report can say it. */
export interface Uncounted {
  /** Records with usage that are no JSON, or too long to look at. */
  readonly damaged: number;
  /** Records whose numbers no message can have. */
  readonly absurd: number;
  /** Sessions whose content is sealed. */
  readonly sealed: number;
  /** Files that could not be read. */
  readonly unreadable: number;
}

/** Where a scan ended; safe to keep as JSON. */
export interface ScanEnd {
  readonly offset: number;
  /** Rows of a last line without newline: it is read again, and they are dropped, when the file grows. */
  readonly tailRows: number;
  /** What the scanner must know to go on. */
  readonly carry?: JsonObject;
  readonly facts: SessionFacts;
  readonly uncounted: Uncounted;
}

/** Nothing was left out. */
export const allCounted: Uncounted = { damaged: 0, absurd: 0, sealed: 0, unreadable: 0 };
