import type { Agent, SessionRef } from "../agents/contract.ts";
import type { Locator } from "../agents/locate-sessions.ts";
import type { Environment } from "../base/env.ts";
import { isRepriseError } from "../base/errors.ts";
import { holderName } from "../base/holder.ts";
import { type Lease, tryLease } from "../base/lease.ts";
import { isDatabaseDamage } from "../sqlite/database.ts";
import { userHome } from "../store/home.ts";
import { applyMarks, recordSightings, restoreSightings } from "./journal-facts.ts";
import type { Catalog } from "./open.ts";
import { type RowBatch, readRows } from "./read-rows.ts";
import { sourceState } from "./schema.ts";
import { includesSealed } from "./sealed.ts";
import { type Stale, type Swept, sweep } from "./sweep.ts";
import { CatalogWriter } from "./writer.ts";

/** How the index is brought up to date. */
export interface UpdateOptions {
  readonly env: Environment;
  readonly locators: readonly Locator[];
  /** The agents, loaded when the first session must be read. */
  agents(): Promise<readonly Agent[]>;
  /** Stop beginning new sessions at this `performance.now()`. */
  readonly deadlineMs?: number;
  /** Hears how many bytes of how many are read. */
  onProgress?(done: {
    readonly bytes: number;
    readonly ofBytes: number;
    readonly path: string;
  }): void;
  /** Reads sessions elsewhere, such as in another thread; in this one if absent. */
  readonly read?: ReadSource;
  readonly signal?: AbortSignal;
}

/** Reads a session, or what was added since a cursor, as rows of the index. */
export type ReadSource = (ref: SessionRef, from: string | undefined) => AsyncIterable<RowBatch>;

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
 * Reads what a sweep found to be new into the index, within the time given. One process does so at a time:
 * where another is at it, nothing is waited for, and everything stale is told as pending.
 */
export async function update(
  catalog: Catalog,
  options: UpdateOptions & { readonly swept: Swept },
): Promise<Updated> {
  const { connection } = catalog;
  const { swept, env, locators } = options;
  const home = userHome(env);
  if (catalog.readOnly) return nothingDone(swept);
  const attempt = leaseFor(home.leases);
  if (attempt === undefined) return nothingDone(swept);
  if (!attempt.taken) return { ...nothingDone(swept), busy: holderName(attempt.holder) };
  const { lease } = attempt;
  const writer = new CatalogWriter(connection);
  try {
    // What another process did until it gave the lease up counts.
    let now = sweep(connection, locators, env);
    writer.begin();
    restoreSightings(connection, writer, home);
    const { gone, changed } = vanish(writer, now);
    recordSightings(connection, home, gone);
    writer.commit();
    if (changed) now = sweep(connection, locators, env);
    const reading = { ...options, lease, sealed: includesSealed(connection) };
    let { read, pending } = await readStale(writer, now, reading);
    if (read > 0) {
      // Sessions told of projects, and some agents keep theirs there.
      now = sweep(connection, locators, env);
      const more = await readStale(writer, now, reading);
      read += more.read;
      pending = more.pending;
    }
    writer.begin();
    applyMarks(connection, writer, home);
    writer.commit();
    return { swept: now, read, gone: gone.length, pending };
  } catch (error) {
    writer.abandon();
    throw error;
  } finally {
    lease.release();
  }
}

function nothingDone(swept: Swept): Updated {
  return { swept, read: 0, gone: 0, pending: swept.stale.map(({ ref }) => ref) };
}

function leaseFor(folder: string): ReturnType<typeof tryLease> | undefined {
  try {
    return tryLease(folder, "catalog");
  } catch {
    // The folder cannot be written: then nobody brings the index up to date.
    return undefined;
  }
}

/** Marks what is no longer there; a session that only moved goes on under its new path. */
function vanish(
  writer: CatalogWriter,
  swept: Swept,
): { readonly gone: readonly number[]; readonly changed: boolean } {
  const gone: number[] = [];
  const added = new Map(
    swept.stale.flatMap(({ ref, known }) =>
      known === undefined ? [[`${ref.agent}\n${ref.session}\n${ref.part ?? ""}`, ref]] : [],
    ),
  );
  for (const source of swept.vanished) {
    const moved = added.get(`${source.agent}\n${source.session}\n${source.part}`);
    if (moved !== undefined) {
      writer.run("update source set path = ?, modified = -1 where id = ?", moved.path, source.id);
      continue;
    }
    writer.run("update source set state = ? where id = ?", sourceState.gone, source.id);
    // What a vanished session had belongs to those that hold copies of it.
    writer.unreadCopies(source.id);
    gone.push(source.id);
  }
  return { gone, changed: swept.vanished.length > 0 };
}

async function readStale(
  writer: CatalogWriter,
  swept: Swept,
  options: UpdateOptions & { readonly lease: Lease; readonly sealed: boolean },
): Promise<Pick<Updated, "read" | "pending">> {
  const { deadlineMs = Number.POSITIVE_INFINITY, onProgress, signal, lease } = options;
  const pending: SessionRef[] = [];
  const ofBytes = swept.stale.reduce((sum, stale) => sum + bytesToRead(stale), 0);
  let bytes = 0;
  let read = 0;
  if (swept.stale.length === 0) return { read, pending };
  const agents = new Map((await options.agents()).map((agent) => [agent.name, agent]));
  for (const stale of swept.stale) {
    const { ref } = stale;
    const leftMs = deadlineMs - performance.now();
    if (signal?.aborted === true || leftMs <= 0 || bytesToRead(stale) > leftMs * surelyBytesPerMs) {
      pending.push(ref);
      continue;
    }
    const agent = agents.get(ref.agent);
    if (agent === undefined) continue;
    writer.begin();
    await indexSource(writer, stale, { ...options, agent });
    lease.beat();
    writer.commitWhenFull();
    read += 1;
    bytes += bytesToRead(stale);
    onProgress?.({ bytes, ofBytes, path: ref.path });
  }
  writer.commit();
  return { read, pending };
}

function bytesToRead({ ref, known }: Stale): number {
  const before = known?.size ?? 0;
  return ref.sizeBytes >= before ? ref.sizeBytes - Math.max(0, before) : ref.sizeBytes;
}

/** Reads one session into the index: what was added to it, or all of it where it is another one now. */
async function indexSource(
  writer: CatalogWriter,
  stale: Stale,
  options: UpdateOptions & { readonly agent: Agent; readonly sealed: boolean },
): Promise<void> {
  const { ref, revision, known } = stale;
  const { agent, env } = options;
  const source = writer.sourceFor(ref);
  const isSame = known !== undefined && known.revision === revision && known.size >= 0;
  const from = isSame && known.state === sourceState.indexed ? writer.cursorOf(source) : undefined;
  const head = from === undefined ? agent.head(ref, env) : undefined;
  if (from === undefined) {
    writer.clear(source);
    if (head === undefined || (head.sealed === true && !options.sealed)) {
      if (head !== undefined) writer.describe(source, head);
      const state = head === undefined ? sourceState.notSession : sourceState.sealed;
      writer.readTo(source, { cursor: "", ref, revision, state });
      return;
    }
    writer.describe(source, head);
  }
  const read = options.read ?? ((of, since) => readRows(agent, of, since));
  let cursor = from ?? "";
  let state: number = sourceState.indexed;
  try {
    for await (const batch of read(ref, from)) {
      if (batch.restart) {
        writer.clear(source);
        const anew = agent.head(ref, env);
        if (anew !== undefined) writer.describe(source, anew);
      }
      writer.add(source, batch);
      if (from !== undefined) writer.learn(source, batch.learnt);
      cursor = batch.cursor;
    }
  } catch (error) {
    if (isDatabaseDamage(error) && !isRepriseError(error)) throw error;
    // It cannot be read now; as long as it stays as it is, trying again would tell nothing new.
    writer.clear(source);
    if (head?.sealed === true) state = sourceState.sealed;
  }
  writer.readTo(source, { cursor, ref, revision, state });
}
