import type { Agent, SessionRef } from "../../agents/contract.ts";
import type { Environment } from "../../base/env.ts";
import { failpoint } from "../../base/failpoint.ts";
import { holderName } from "../../base/holder.ts";
import { type Lease, tryLease } from "../../base/lease.ts";
import { limits } from "../../base/limits.ts";
import { storeLease } from "../../base/store-leases.ts";
import type { Connection } from "../../sqlite/connection.ts";
import { type Home, userHome } from "../../store/home.ts";
import { Attempts } from "./attempts.ts";
import { giveUp, indexSource } from "./index-source.ts";
import { applyMarks, recordSightings, restoreSightings } from "./journal-facts.ts";
import type { Catalog } from "./open.ts";
import { removedSessions } from "./removed-sessions.ts";
import { sourceState } from "./schema.ts";
import { includesSealed } from "./sealed.ts";
import { knownFolders, placeKey, placesOf } from "./source.ts";
import { isUnchanged, type Stale, type Swept, sweep } from "./sweep.ts";
import { CatalogWriter } from "./writer.ts";

/** How the index is brought up to date. */
export interface UpdateOptions {
  readonly env: Environment;
  /** Every agent, loaded when sessions must be looked for. */
  agents(): Promise<readonly Agent[]>;
  /** Those of them that can have sessions on the machine, in these projects among others; every agent unless given. */
  presentAgents?(projects: readonly string[]): Promise<readonly Agent[]>;
  /** An agent by its name, loaded when a session of it must be read. */
  agent(name: string): Promise<Agent | undefined>;
  /** Stop beginning new sessions at this `performance.now()`. */
  readonly deadlineMs?: number;
  /** Whether to begin another session; asked before each. */
  isWanted?(): boolean;
  /** Read one session whatever its size, so that going on comes to an end. */
  readonly atLeastOne?: boolean;
  /** Hears how many bytes of how many are read. */
  onProgress?(done: {
    readonly bytes: number;
    readonly ofBytes: number;
    readonly path: string;
  }): void;
  /** Hears of a session that could not be read, and is not tried again until it changes. */
  onGivenUp?(ref: SessionRef, why: string): void;
  readonly signal?: AbortSignal;
}

/** What bringing the index up to date did. */
export interface Updated {
  readonly swept: Swept;
  /** Sessions that were read, whole or in part. */
  readonly read: number;
  readonly gone: number;
  /** Sessions the index does not have as they are now. */
  readonly pending: readonly SessionRef[];
  /** Who is indexing right now, so that this process did not. */
  readonly busy?: string;
}

/** Bytes a second that indexing surely does; decides whether a session fits into the time that is left. */
const surelyBytesPerMs = 15_000;

/**
 * One that reads what changed, one for copies of what was given up meanwhile, one for what these gave up in their turn.
 * More are needed only where files change all the time.
 */
const mostRounds = 4;

/**
 * Reads what a sweep found to be new into the index, within the time given. One process does so at a time:
 * where another is at it, nothing is waited for, and everything stale is reported as pending.
 */
export async function update(
  catalog: Catalog,
  options: UpdateOptions & { readonly swept: Swept },
): Promise<Updated> {
  const { connection } = catalog;
  const { swept, env } = options;
  const agents = await options.agents();
  const home = userHome(env);
  if (catalog.readOnly) return nothingDone(swept);
  const attempt = leaseFor(home.leases);
  if (attempt === undefined) return nothingDone(swept);
  if (!attempt.taken) return { ...nothingDone(swept), busy: holderName(attempt.holder) };
  const { lease } = attempt;
  const writer = new CatalogWriter(connection);
  const attempts = new Attempts(`${catalog.path}.reading`);
  try {
    // What another process did until it gave the lease up counts.
    let now = isUnchanged(connection, swept) ? swept : sweep(connection, agents, env);
    const known = newestSource(connection);
    writer.begin();
    restoreSightings(connection, writer, home);
    const { gone, changed } = vanish(writer, now, home);
    recordSightings(connection, home, gone);
    writer.commit();
    if (changed) now = sweep(connection, agents, env);
    const reading = { ...options, lease, attempts, sealed: includesSealed(connection) };
    let folders = knownFolders(connection).length;
    let { read, pending } = await readStale(writer, now, reading);
    for (let round = 1; round < mostRounds; round += 1) {
      // Sessions told of projects, and some agents keep theirs there; or they gave up what others have copies of.
      const told = knownFolders(connection).length;
      if (told <= folders && unreadIn(connection, now, pending).length === 0) break;
      folders = told;
      now = sweep(connection, agents, env);
      const more = await readStale(writer, now, reading);
      read += more.read;
      pending = more.pending;
    }
    writer.begin();
    applyMarks(connection, writer, { home, hasNew: newestSource(connection) !== known });
    writer.commit();
    writer.foldLog();
    const waiting = [...pending, ...unreadIn(connection, now, pending)];
    attempts.conclude(waiting);
    return { swept: now, read, gone: gone.length, pending: waiting };
  } catch (error) {
    writer.abandon();
    throw error;
  } finally {
    attempts.close();
    lease.release();
  }
}

/** The sessions that were found, are not pending, and are to be read again because of what another one gave up. */
function unreadIn(
  connection: Connection,
  swept: Swept,
  pending: readonly SessionRef[],
): readonly SessionRef[] {
  const ids = connection
    .prepare(
      "select id from source where modified = -1 and size >= 0 and cursor is null and state = ?",
    )
    .all(sourceState.indexed) as { readonly id: number }[];
  if (ids.length === 0) return [];
  // Those of another home are not looked for now.
  const unread = placesOf(
    connection,
    ids.map(({ id }) => id),
  );
  const known = new Set(pending.map(placeKey));
  return swept.refs.filter((ref) => unread.has(placeKey(ref)) && !known.has(placeKey(ref)));
}

/** The number of the source that came last; none is ever removed. */
function newestSource(connection: Connection): number {
  const row = connection.prepare("select max(id) as id from source").get();
  return (row as { readonly id: number | null }).id ?? 0;
}

function nothingDone(swept: Swept): Updated {
  return { swept, read: 0, gone: 0, pending: swept.stale.map(({ ref }) => ref) };
}

function leaseFor(folder: string): ReturnType<typeof tryLease> | undefined {
  try {
    return tryLease(storeLease(folder, "catalog"), { staleMs: limits.leaseWorkStaleMs });
  } catch {
    // The folder cannot be written: then nobody brings the index up to date.
    return undefined;
  }
}

/**
 * Marks what is no longer there; a session that only moved stays under its new path, and one that was deleted here is
 * forgotten.
 */
function vanish(
  writer: CatalogWriter,
  swept: Swept,
  home: Home,
): { readonly gone: readonly number[]; readonly changed: boolean } {
  const gone: number[] = [];
  if (swept.vanished.length === 0) return { gone, changed: false };
  const added = newPlaces(swept);
  const isRemoved = removedSessions(home);
  for (const source of swept.vanished) {
    // Each new place is one session's: copies of one id in several folders vanish together.
    const moved = added.get(`${source.agent}\n${source.session}\n${source.part}`)?.shift();
    if (moved !== undefined) {
      writer.run("update source set path = ?, modified = -1 where id = ?", moved.path, source.id);
      continue;
    }
    writer.run("update source set state = ? where id = ?", sourceState.gone, source.id);
    // What a vanished session had belongs to those that hold copies of it.
    writer.unreadCopies(source.id);
    if (isRemoved(source)) writer.forget(source.id);
    else gone.push(source.id);
  }
  return { gone, changed: true };
}

/** Where sessions are that the index does not know, by what a session keeps when it moves. */
function newPlaces({ stale }: Swept): ReadonlyMap<string, SessionRef[]> {
  const places = new Map<string, SessionRef[]>();
  for (const { ref, known } of stale) {
    if (known !== undefined) continue;
    const key = `${ref.agent}\n${ref.session}\n${ref.part ?? ""}`;
    const there = places.get(key);
    if (there === undefined) places.set(key, [ref]);
    else there.push(ref);
  }
  return places;
}

async function readStale(
  writer: CatalogWriter,
  swept: Swept,
  options: UpdateOptions & {
    readonly lease: Lease;
    readonly attempts: Attempts;
    readonly sealed: boolean;
  },
): Promise<Pick<Updated, "read" | "pending">> {
  const { deadlineMs = Number.POSITIVE_INFINITY, onProgress, signal, lease, attempts } = options;
  const pending: SessionRef[] = [];
  const ofBytes = swept.stale.reduce((sum, stale) => sum + bytesToRead(stale), 0);
  let bytes = 0;
  let read = 0;
  for (const stale of swept.stale) {
    const { ref, revision } = stale;
    const size = bytesToRead(stale);
    const leftMs = deadlineMs - performance.now();
    const isOver = signal?.aborted === true || !lease.isKept();
    const isLate =
      leftMs <= 0 || size > leftMs * surelyBytesPerMs || options.isWanted?.() === false;
    const isFirst = options.atLeastOne === true && pending.length === 0 && bytes === 0;
    if (isOver || (isLate && !isFirst)) {
      pending.push(ref);
      continue;
    }
    const agent = await options.agent(ref.agent);
    if (agent === undefined) continue;
    const order = { ref, revision, from: cursorFor(writer, stale) };
    const { env, sealed } = options;
    const { onGivenUp } = options;
    const how = { env, agent, sealed, ...(onGivenUp && { onGivenUp }) };
    if (attempts.isHopeless(ref)) giveUp(writer, order, how);
    else {
      attempts.begin(ref);
      failpoint("index.reading");
      if (await indexSource(writer, order, how)) read += 1;
      attempts.end();
    }
    bytes += size;
    onProgress?.({ bytes, ofBytes, path: ref.path });
  }
  writer.commit();
  return { read, pending };
}

/** The cursor to go on from; undefined if the session is read from its start. */
function cursorFor(writer: CatalogWriter, { ref, revision, known }: Stale): string | undefined {
  const isSame = known !== undefined && known.revision === revision && known.size >= 0;
  if (!isSame || known.state !== sourceState.indexed) return undefined;
  return writer.cursorOf(ref);
}

function bytesToRead({ ref, known }: Stale): number {
  const before = known?.size ?? 0;
  return ref.sizeBytes >= before ? ref.sizeBytes - Math.max(0, before) : ref.sizeBytes;
}
