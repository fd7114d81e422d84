import type { Agent, SessionRef } from "../agents/contract.ts";
import type { Environment } from "../base/env.ts";
import { isRepriseError } from "../base/errors.ts";
import type { SessionHead } from "../model/head.ts";
import { isDatabaseDamage } from "../sqlite/database.ts";
import { type RowBatch, readRows } from "./read-rows.ts";
import { sourceState } from "./schema.ts";
import type { CatalogWriter, ReadTo } from "./writer.ts";

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
  const finish = (cursor: string, state: number): SourceStep => ({
    step: "finish",
    to: { cursor, ref, revision, state },
  });
  const head = from === undefined ? agent.head(ref, env) : undefined;
  if (from === undefined) {
    yield { step: "clear" };
    if (head !== undefined) yield { step: "describe", head };
    if (head === undefined || (head.sealed === true && !options.sealed)) {
      yield finish("", head === undefined ? sourceState.notSession : sourceState.sealed);
      return;
    }
  }
  let cursor = from ?? "";
  let state: number = sourceState.indexed;
  try {
    for await (const batch of readRows(agent, ref, from)) {
      if (batch.restart) {
        yield { step: "clear" };
        const anew = agent.head(ref, env);
        if (anew !== undefined) yield { step: "describe", head: anew };
      }
      cursor = batch.cursor;
      yield { step: "add", batch, learns: from !== undefined };
    }
  } catch (error) {
    if (isDatabaseDamage(error) && !isRepriseError(error)) throw error;
    // It cannot be read now; as long as it stays as it is, trying again would tell nothing new.
    yield { step: "clear" };
    if (head?.sealed === true) state = sourceState.sealed;
  }
  yield finish(cursor, state);
}

/** Does one step. */
export function takeStep(writer: CatalogWriter, source: number, step: SourceStep): void {
  if (step.step === "clear") writer.clear(source);
  else if (step.step === "describe") writer.describe(source, step.head);
  else if (step.step === "finish") writer.readTo(source, step.to);
  else {
    writer.add(source, step.batch);
    if (step.learns) writer.learn(source, step.batch.learnt);
  }
}
