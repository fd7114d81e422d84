import type { SessionRef } from "../../agents/contract.ts";
import type { Connection } from "../../sqlite/connection.ts";

/** What the index knows of a session, as its table has it. */
export interface Source {
  readonly id: number;
  readonly agent: string;
  /** As its place says it. */
  readonly session: string;
  /** As the session itself says it. */
  readonly named: string | null;
  readonly path: string;
  readonly part: string;
  readonly root: string | null;
  readonly size: number;
  readonly modified: number;
  readonly revision: number;
  readonly state: number;
  readonly created: number | null;
  readonly updated: number | null;
  /** When it was written from another session. */
  readonly copied: number | null;
  readonly title: string | null;
  readonly title_event: number | null;
  readonly marked_title: string | null;
  readonly tags: string | null;
  readonly marked_tags: string | null;
  readonly cwd: string | null;
  readonly project: string | null;
  readonly branch: string | null;
  readonly remote: string | null;
  readonly model: string | null;
  readonly author: string | null;
  readonly relation: string | null;
  readonly events: number;
  /** Events that are searched, without copies. */
  readonly texts: number;
  /** About how many words these have. */
  readonly length: number;
  /** What people said, counted, and the number of the first. */
  readonly prompts: number;
  readonly prompt: string | null;
}

/** What a sweep compares. */
export type KnownSource = Pick<
  Source,
  | "id"
  | "agent"
  | "session"
  | "named"
  | "path"
  | "part"
  | "size"
  | "modified"
  | "revision"
  | "state"
>;

/** The sources by the place they lie at. */
export function knownSources(connection: Connection): ReadonlyMap<string, KnownSource> {
  const rows = connection
    .prepare(
      "select id, agent, session, named, path, part, size, modified, revision, state from source",
    )
    .all() as KnownSource[];
  return new Map(rows.map((row) => [keyOf(row.path, row.part), row]));
}

/** The places of some sources, as `placeKey` says them. */
export function placesOf(connection: Connection, sources: Iterable<number>): ReadonlySet<string> {
  const rows = connection
    .prepare("select path, part from source where id in (select value from json_each(?))")
    .all(JSON.stringify([...sources])) as Pick<Source, "path" | "part">[];
  return new Set(rows.map(({ path, part }) => keyOf(path, part)));
}

/** What says a place of a session from another. */
export function placeKey(ref: SessionRef): string {
  return keyOf(ref.path, ref.part);
}

function keyOf(path: string, part: string | undefined): string {
  return part === undefined || part === "" ? path : `${path}\n${part}`;
}

/** The folders sessions ran in, as far as the index knows. */
export function knownFolders(connection: Connection): readonly string[] {
  const rows = connection
    .prepare("select distinct cwd from source where cwd is not null")
    .all() as { cwd: string }[];
  return rows.map(({ cwd }) => cwd);
}

/** All columns of every source. */
export function allSources(connection: Connection): readonly Source[] {
  return connection.prepare("select * from source").all() as Source[];
}

type Place = Pick<Source, "agent" | "session" | "path" | "part" | "root" | "size" | "modified">;

/** The ref a reader takes. */
export function refOf(source: Place): SessionRef {
  return {
    agent: source.agent,
    session: source.session,
    path: source.path,
    sizeBytes: source.size,
    modifiedMs: source.modified,
    ...(source.part !== "" && { part: source.part }),
    ...(source.root !== null && { root: source.root }),
  };
}

/** When a session changed last; a copy is as new as its writing, though what was said in it is old. */
export function changedMs({
  updated,
  modified,
  copied,
}: Pick<Source, "updated" | "modified" | "copied">): number {
  return Math.max(updated ?? modified, copied ?? 0);
}
