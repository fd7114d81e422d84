import type { Agent, SessionRef } from "../../agents/contract.ts";
import type { Environment } from "../../base/env.ts";
import { type ErrorCode, isRepriseError } from "../../base/errors.ts";
import { readOpen } from "../../base/open-file.ts";
import type { SessionHead } from "../../model/head.ts";
import { isDatabaseDamage } from "../../sqlite/database.ts";
import { type RowBatch, readRows } from "./read-rows.ts";
import { sourceState } from "./schema.ts";
import type { ReadTo } from "./writer.ts";

/** What reading a session has the index do, one step after the other; made here, taken by whoever writes. */
export type SourceStep =
  | { readonly step: "clear" }
  | { readonly step: "describe"; readonly head: SessionHead }
  | { readonly step: "add"; readonly batch: RowBatch; readonly learns: boolean }
  | { readonly step: "finish"; readonly to: ReadTo };

/** A session to be read, whole or from a cursor on. */
export interface SourceOrder {
  readonly ref: SessionRef;
  readonly revision: number;
  readonly from: string | undefined;
}

/** Reads one session for the index: what was added to it, or all of it where it is another one now. */
export async function* sourceSteps(
  { ref, revision, from }: SourceOrder,
  options: { readonly env: Environment; readonly agent: Agent; readonly sealed: boolean },
): AsyncGenerator<SourceStep> {
  const { agent, env } = options;
  const finish = (cursor: string | null, state: number, as = ref): SourceStep => ({
    step: "finish",
    to: { cursor, ref: as, revision, state },
  });
  // Of a session that only grew nothing but the growth is read.
  let read: { readonly head: SessionHead | undefined } | undefined;
  const headOf = (): SessionHead | undefined => {
    read ??= { head: agent.head(ref, env) };
    return read.head;
  };
  function* anew(): Generator<SourceStep> {
    yield { step: "clear" };
    const head = headOf();
    if (head !== undefined) yield { step: "describe", head };
  }
  if (!readOpen(ref.path, () => true, false)) {
    // What the index has of it stays: the next sweep tells whether it is gone or can be opened.
    yield finish(null, sourceState.indexed, unread(ref));
    return;
  }
  if (from === undefined) {
    yield* anew();
    const head = headOf();
    if (head === undefined || (head.sealed === true && !options.sealed)) {
      yield finish(null, head === undefined ? sourceState.notSession : sourceState.sealed);
      return;
    }
  }
  let cursor = from ?? "";
  let isUnread = false;
  try {
    for await (const batch of readRows(agent, ref, from)) {
      if (batch.restart) yield* anew();
      cursor = batch.cursor;
      isUnread ||= batch.isUnread ?? false;
      yield { step: "add", batch, learns: from !== undefined };
    }
  } catch (error) {
    if (isDatabaseDamage(error) && !isRepriseError(error)) throw error;
    yield* anew();
    if (headOf()?.sealed === true) yield finish(null, sourceState.sealed);
    else yield finish(null, sourceState.indexed, isOfContent(error) ? ref : unread(ref));
    return;
  }
  yield finish(cursor, sourceState.indexed, isUnread ? unread(ref) : ref);
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

/** Whether a failure lies in what the file holds: while that stays as it is, trying again tells nothing new. */
function isOfContent(error: unknown): boolean {
  return isRepriseError(error) && ofContent.has(error.code);
}

/** Whether a step says that its session could not be read, and is to be tried again. */
export function leavesUnread(step: SourceStep): boolean {
  return step.step === "finish" && step.to.ref.sizeBytes < 0;
}
