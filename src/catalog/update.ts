import type { Agent, SessionRef } from "../agents/contract.ts";
import type { Locator } from "../agents/locate-sessions.ts";
import type { Environment } from "../base/env.ts";
import { isRepriseError } from "../base/errors.ts";
import { holderName } from "../base/holder.ts";
import { type Lease, tryLease } from "../base/lease.ts";
import { limits } from "../base/limits.ts";
import { isDatabaseDamage } from "../sqlite/database.ts";
import { userHome } from "../store/home.ts";
import { applyMarks, recordSightings, restoreSightings } from "./journal-facts.ts";
import type { Catalog } from "./open.ts";
import type { ReadAhead } from "./read-ahead.ts";
import { type RowBatch, readRows } from "./read-rows.ts";
import { sourceState } from "./schema.ts";
import { includesSealed } from "./sealed.ts";
import { knownFolders } from "./source.ts";
import { isUnchanged, type Stale, type Swept, sweep } from "./sweep.ts";
import { CatalogWriter } from "./writer.ts";

/** How the index is brought up to date. */
export interface UpdateOptions {
  readonly env: Environment;
  readonly locators: readonly Locator[];
  /** An agent by its name, loaded when a session of it must be read. */
  agent(name: string): Promise<Agent | undefined>;
  /** Stop beginning new sessions at this `performance.now()`. */
  readonly deadlineMs?: number;
  /** Hears how many bytes of how many are read. */
  onProgress?(done: {
    readonly bytes: number;
    readonly ofBytes: number;
    readonly path: string;
  }): void;
  /** The program file of a thread that reads sessions ahead; without it this one reads them. */
  readonly reader?: string;
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
    let now = isUnchanged(connection, swept) ? swept : sweep(connection, locators, env);
    writer.begin();
    restoreSightings(connection, writer, home);
    const { gone, changed } = vanish(writer, now);
    recordSightings(connection, home, gone);
    writer.commit();
    if (changed) now = sweep(connection, locators, env);
    const folders = knownFolders(connection).length;
    const reading = { ...options, lease, sealed: includesSealed(connection) };
    const large = isLarge(now) && options.deadlineMs === undefined;
    if (large) writer.expectMuch();
    let { read, pending } = await readStale(writer, now, reading);
    if (knownFolders(connection).length > folders) {
      // Sessions told of projects, and some agents keep theirs there.
      now = sweep(connection, locators, env);
      const more = await readStale(writer, now, reading);
      read += more.read;
      pending = more.pending;
    }
    writer.begin();
    applyMarks(connection, writer, home);
    writer.commit();
    if (large) writer.tidy();
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
  const ahead = await readAhead(writer, swept.stale, { ...options, ofBytes });
  try {
    for (const [index, stale] of swept.stale.entries()) {
      const { ref } = stale;
      const size = bytesToRead(stale);
      const leftMs = deadlineMs - performance.now();
      if (signal?.aborted === true || leftMs <= 0 || size > leftMs * surelyBytesPerMs) {
        pending.push(ref);
        continue;
      }
      const agent = await options.agent(ref.agent);
      if (agent === undefined) continue;
      writer.begin();
      const rows = (from: string | undefined): AsyncIterable<RowBatch> =>
        ahead?.has(index, from) === true ? ahead.batches(index) : readRows(agent, ref, from);
      await indexSource(writer, stale, { env: options.env, sealed: options.sealed, agent, rows });
      lease.beat();
      writer.commitWhenFull();
      read += 1;
      bytes += size;
      onProgress?.({ bytes, ofBytes, path: ref.path });
    }
  } finally {
    await ahead?.close();
  }
  writer.commit();
  return { read, pending };
}

/** Starting a thread pays only for this much. */
const worthThread = 4 * 1024 * 1024;

async function readAhead(
  writer: CatalogWriter,
  stale: readonly Stale[],
  options: { readonly reader?: string; readonly ofBytes: number },
): Promise<ReadAhead | undefined> {
  if (options.reader === undefined || options.ofBytes < worthThread) return undefined;
  const { ReadAhead: Reader } = await import("./read-ahead.ts");
  const sessions = stale.map((one) => ({ ref: one.ref, from: cursorFor(writer, one) }));
  return new Reader(options.reader, { sessions });
}

/** The cursor to go on from; undefined where the session is read from its start. */
function cursorFor(writer: CatalogWriter, { ref, revision, known }: Stale): string | undefined {
  const isSame = known !== undefined && known.revision === revision && known.size >= 0;
  if (!isSame || known.state !== sourceState.indexed) return undefined;
  return writer.cursorOf(ref);
}

function isLarge({ stale }: Swept): boolean {
  return stale.reduce((sum, one) => sum + bytesToRead(one), 0) >= limits.catalogTidyBytes;
}

function bytesToRead({ ref, known }: Stale): number {
  const before = known?.size ?? 0;
  return ref.sizeBytes >= before ? ref.sizeBytes - Math.max(0, before) : ref.sizeBytes;
}

/** Reads one session into the index: what was added to it, or all of it where it is another one now. */
async function indexSource(
  writer: CatalogWriter,
  stale: Stale,
  options: {
    readonly env: Environment;
    readonly agent: Agent;
    readonly sealed: boolean;
    rows(from: string | undefined): AsyncIterable<RowBatch>;
  },
): Promise<void> {
  const { ref, revision } = stale;
  const { agent, env } = options;
  const source = writer.sourceFor(ref);
  const from = cursorFor(writer, stale);
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
  let cursor = from ?? "";
  let state: number = sourceState.indexed;
  try {
    for await (const batch of options.rows(from)) {
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
