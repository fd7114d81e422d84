import type { SessionFacts } from "../../model/usage-scan.ts";

/** A file, or a part of one, that may record usage; found by listing and stat alone. */
export interface UsageFile {
  readonly agent: string;
  readonly path: string;
  /** The session its usage belongs to, as far as its place says it. */
  readonly session: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly bornMs: number;
  readonly inode: number;
  /** What the reader needs besides the path. */
  readonly part?: string;
  readonly root?: string;
  /** The session whose subagent this is, as far as its place says it. */
  readonly parent?: string;
  /** The folder the session ran in, where its place says it. */
  readonly cwd?: string;
}

/** The folder a session ran in, by its records or by its place. */
export function folderOf(known: {
  readonly file: UsageFile;
  readonly end: { readonly facts: SessionFacts };
}): string | undefined {
  return known.end.facts.cwd ?? known.file.cwd;
}

/** The session a file holds, by its records where its place says it only in part. */
export function ownSession({ session }: Pick<UsageFile, "session">, facts: SessionFacts): string {
  return facts.session ?? session;
}
