import type { JsonObject } from "../../base/json.ts";

/** A file, or a part of one, that may record usage; found by listing and stat alone. */
export interface UsageFile {
  readonly agent: string;
  readonly path: string;
  /** The session its usage belongs to, as far as its place tells it. */
  readonly session: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly bornMs: number;
  readonly inode: number;
  /** What the reader needs besides the path. */
  readonly part?: string;
  readonly root?: string;
  /** The session whose subagent this is, as far as its place tells it. */
  readonly parent?: string;
}

/** What a session of our own was brought in from. */
export interface Import {
  readonly agent: string;
  readonly session: string;
  /** The last event that was brought in. */
  readonly last: number;
}

/** What a scan learnt of a session besides its rows. */
export interface SessionFacts {
  /** The session as the records name it. */
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

/** The session a file holds: Gemini CLI's names hold only the beginning of its id, which the records tell. */
export function ownSession(
  { agent, session }: Pick<UsageFile, "agent" | "session">,
  facts: SessionFacts,
): string {
  return (agent === "gemini-cli" ? facts.session : undefined) ?? session;
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

/**
 * What the rules of each agent are at; a number changes when the same bytes give other rows, and then
 * only that agent's files are read again.
 */
export const scanVersions: Readonly<Record<string, number>> = {
  reprise: 2,
  "claude-code": 1,
  codex: 1,
  "gemini-cli": 2,
  opencode: 1,
  pi: 1,
  aider: 1,
};
