import type { Agent, SessionRef } from "../../agents/contract.ts";
import { locateAll } from "../../agents/locate-sessions.ts";
import { exists } from "../../base/disk.ts";
import type { Environment } from "../../base/env.ts";
import type { Connection } from "../../sqlite/connection.ts";
import { sourceState } from "./schema.ts";
import { type KnownSource, knownFolders, knownSources, placeKey } from "./source.ts";

/** A session that is not in the index as it is now. */
export interface Stale {
  readonly ref: SessionRef;
  readonly revision: number;
  readonly known?: KnownSource;
}

/** The machine compared with the index, by stat alone. */
export interface Swept {
  readonly refs: readonly SessionRef[];
  /** By age, the newest first: they are asked for most, and are found while the rest is still being read. */
  readonly stale: readonly Stale[];
  /** In the index, but no longer on the machine. */
  readonly vanished: readonly KnownSource[];
  /** Sealed sessions among those. */
  readonly sealed: readonly SessionRef[];
  /** Whether the index knows sessions that were not looked for now, such as those of another home. */
  readonly knowsMore: boolean;
  /** Another one means that another process wrote to the index. */
  readonly version: number;
}

/** Whether no other process wrote to the index since a sweep. */
export function isUnchanged(connection: Connection, swept: Swept): boolean {
  return versionOf(connection) === swept.version;
}

/** The state of the index as this connection sees it. */
function versionOf(connection: Connection | undefined): number {
  const row = connection?.prepare("pragma data_version").get();
  return (row as { readonly data_version: number } | undefined)?.data_version ?? 0;
}

/** Asks every agent where its sessions are, and says what the index does not know yet. */
export function sweep(
  connection: Connection | undefined,
  agents: readonly Agent[],
  env: Environment,
  folders: readonly string[] = connection === undefined ? [] : knownFolders(connection),
): Swept {
  const version = versionOf(connection);
  const known =
    connection === undefined ? new Map<string, KnownSource>() : knownSources(connection);
  const projects = new Set([env.cwd, ...folders]);
  const refs: SessionRef[] = [];
  const stale: Stale[] = [];
  const sealed: SessionRef[] = [];
  const seen = new Set<string>();
  for (const { agent, ref } of locateAll(agents, env, projects)) {
    const key = placeKey(ref);
    if (seen.has(key)) continue;
    seen.add(key);
    refs.push(ref);
    const row = known.get(key);
    const { revision } = agent;
    if (row?.state === sourceState.sealed) sealed.push(ref);
    if (row !== undefined && isFresh(row, ref, revision)) continue;
    stale.push(row === undefined ? { ref, revision } : { ref, revision, known: row });
  }
  const vanished: KnownSource[] = [];
  let knowsMore = false;
  let paths: ReadonlySet<string> | undefined;
  for (const [key, row] of known) {
    if (seen.has(key) || row.state === sourceState.gone) continue;
    // A session of another home is not gone, it is only not looked for now.
    paths ??= new Set(refs.map(({ path }) => path));
    const isGone = (row.part !== "" && paths.has(row.path)) || !exists(row.path);
    if (isGone) vanished.push(row);
    else knowsMore = true;
  }
  stale.sort((a, b) => b.ref.modifiedMs - a.ref.modifiedMs || compare(a.ref.path, b.ref.path));
  return { refs, stale, vanished, sealed, knowsMore, version };
}

function isFresh(row: KnownSource, ref: SessionRef, revision: number): boolean {
  return (
    row.size === ref.sizeBytes &&
    row.modified === ref.modifiedMs &&
    row.revision === revision &&
    row.state !== sourceState.gone
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
