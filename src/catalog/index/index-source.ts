import type { Agent, SessionRef } from "../../agents/contract.ts";
import type { Environment } from "../../base/env.ts";
import { type ErrorCode, isRepriseError } from "../../base/errors.ts";
import { readOpen } from "../../base/open-file.ts";
import { isOfSystem } from "../../base/system-error.ts";
import type { SessionHead } from "../../model/head.ts";
import { type RowBatch, readRows } from "./read-rows.ts";
import { sourceState } from "./schema.ts";
import type { CatalogWriter } from "./writer.ts";

/** A session to be read, whole or from a cursor on. */
export interface SourceOrder {
  readonly ref: SessionRef;
  readonly revision: number;
  readonly from: string | undefined;
}

/** How sessions are read into the index. */
export interface IndexOptions {
  readonly env: Environment;
  readonly agent: Agent;
  readonly sealed: boolean;
  /** Hears of a session that could not be read, and is not tried again until it changes. */
  onGivenUp?(ref: SessionRef, why: string): void;
}

/** Leaves a session out until it changes, unread: reading it ended the process as often as it was tried. */
export function giveUp(
  writer: CatalogWriter,
  { ref, revision }: SourceOrder,
  { onGivenUp }: Pick<IndexOptions, "onGivenUp">,
): void {
  writer.begin();
  const source = writer.sourceFor(ref);
  writer.clear(source);
  writer.readTo(source, { cursor: null, ref, revision, state: sourceState.indexed });
  onGivenUp?.(ref, "each time it was read, the process that read it ended.");
}

/**
 * Reads one session into the index: what was added to it, or all of it where it is another one now. False where it
 * could not be read and is to be tried again.
 */
export async function indexSource(
  writer: CatalogWriter,
  { ref, revision, from }: SourceOrder,
  options: IndexOptions,
): Promise<boolean> {
  const { agent, env } = options;
  writer.begin();
  const source = writer.sourceFor(ref);
  const finish = (cursor: string | null, state: number, as = ref): boolean => {
    writer.readTo(source, { cursor, ref: as, revision, state });
    writer.commitWhenFull();
    return as.sizeBytes >= 0;
  };
  // Of a session that only grew nothing but the growth is read.
  let read: { readonly head: SessionHead | undefined } | undefined;
  const headOf = (): SessionHead | undefined => {
    read ??= { head: agent.head(ref, env) };
    return read.head;
  };
  const beginAnew = (): void => {
    writer.clear(source);
    const head = headOf();
    if (head !== undefined) writer.describe(source, head);
  };
  if (!readOpen(ref.path, () => true, false)) {
    // What the index has of it stays: the next sweep says whether it is gone or can be opened.
    return finish(null, sourceState.indexed, unread(ref));
  }
  if (from === undefined) {
    beginAnew();
    const head = headOf();
    if (head === undefined) return finish(null, sourceState.notSession);
    if (head.sealed === true && !options.sealed) return finish(null, sourceState.sealed);
  }
  let cursor = from ?? "";
  let isUnread = false;
  const how = { from, isOfSubagent: writer.isOfSubagent(source) };
  for await (const batch of batchesOf(readRows(agent, ref, how))) {
    if ("failure" in batch) {
      beginAnew();
      if (headOf()?.sealed === true) return finish(null, sourceState.sealed);
      const { failure } = batch;
      if (!isOfContent(failure)) return finish(null, sourceState.indexed, unread(ref));
      options.onGivenUp?.(ref, failure instanceof Error ? failure.message : String(failure));
      return finish(null, sourceState.indexed);
    }
    if (batch.restart) beginAnew();
    cursor = batch.cursor;
    isUnread ||= batch.isUnread ?? false;
    if (batch.refused !== undefined) options.onGivenUp?.(ref, batch.refused);
    writer.add(source, batch);
    if (from !== undefined) writer.learn(source, batch.learnt);
  }
  return finish(cursor, sourceState.indexed, isUnread ? unread(ref) : ref);
}

/** The batches of a reading; at its end why it failed, if it did. What fails while they are written is not a part of it. */
async function* batchesOf(
  reading: AsyncIterable<RowBatch>,
): AsyncGenerator<RowBatch | { readonly failure: unknown }> {
  try {
    yield* reading;
  } catch (failure) {
    yield { failure };
  }
}

/** Where a session counts as never read: its file may open again without a change of size or time. */
function unread(ref: SessionRef): SessionRef {
  return { ...ref, sizeBytes: -1, modifiedMs: -1 };
}

const ofContent: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "newer_format",
  "damaged",
  "too_large",
]);

/** Whether a failure lies in what the file holds: while that stays as it is, trying again says nothing new. */
function isOfContent(error: unknown): boolean {
  // What is neither ours nor the system's is a fault of a reader, and the content brought it about.
  return isRepriseError(error) ? ofContent.has(error.code) : !isOfSystem(error);
}
