import type { ProjectIdentity } from "../../model/event.ts";

/** A session as the bytes of its log, wherever they lie. */
export interface RawSession {
  readonly session: string;
  /** The session it was forked from. */
  readonly base: string | undefined;
  readonly project: ProjectIdentity | undefined;
  readonly sizeBytes: number;
  /** It was removed, and is kept for the forks that stand on it. */
  readonly isHidden: boolean;
  /** Why it cannot be copied. */
  readonly problem?: string;
  /** Its bytes, as many as it had when it was listed. */
  pieces(): Iterable<Buffer>;
}

/** A store whose sessions can be read and added as bytes. */
export interface RawStore {
  /** The folder or file it lies in. */
  readonly place: string;
  list(): readonly RawSession[];
  find(session: string): RawSession | undefined;
  /** A blob as it is stored, sealed or not. */
  blob(name: string): Buffer | undefined;
  /** Adds a session with its blobs: all of it, durable, or nothing; throws `session_exists`. */
  add(session: RawSession, blobs: ReadonlyMap<string, () => Buffer>): void;
  close(): void;
}
