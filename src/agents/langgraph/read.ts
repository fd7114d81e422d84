import { processEnvironment } from "../../base/env.ts";
import { isRepriseError } from "../../base/errors.ts";
import { checkReadable } from "../../base/open-file.ts";
import type { Damage } from "../../model/damage.ts";
import { isDatabaseDamage } from "../../sqlite/database.ts";
import { Batches } from "../batches.ts";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { toldUnread } from "../session-file.ts";
import { readBranches } from "./read/branches.ts";
import { cursorOf, decodeCursor } from "./read/cursor.ts";
import { type OpenThread, openThread, threadEvents } from "./read/events.ts";
import { carvedSource, databaseThread, type ThreadSource } from "./read/thread-source.ts";

/**
 * A thread's events: the messages of its newest checkpoint, which a run continues from; with `allBranches` also every
 * checkpoint, the messages of forks, and what subgraphs said. One checkpoint is held at a time.
 */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  return toldUnread(batches(ref, options), options);
}

function* batches(ref: SessionRef, options: ReadOptions): Generator<ReadBatch> {
  checkReadable(ref.path);
  const thread = ref.part ?? ref.session;
  let begun = false;
  try {
    for (const batch of readThread(databaseThread(ref.path, thread), thread, options)) {
      begun = true;
      yield batch;
    }
  } catch (error) {
    if (isRepriseError(error, "no_sqlite") || isRepriseError(error, "not_found")) throw error;
    const isDamage = isRepriseError(error) ? error.code === "damaged" : isDatabaseDamage(error);
    if (!isDamage && !(error instanceof Error && /no such (?:table|column)/.test(error.message)))
      throw error;
    const detail = error instanceof Error ? error.message : String(error);
    const failure: Damage = { kind: "database", offset: 0, recovered: 0, detail };
    const given = { ...options, ...(begun && { from: "" }) };
    yield* readThread(carvedSource(ref.path, thread), thread, given, failure);
  }
}

function* readThread(
  source: ThreadSource,
  thread: string,
  options: ReadOptions,
  failure?: Damage,
): Generator<ReadBatch> {
  try {
    const key = processEnvironment().variables["LANGGRAPH_AES_KEY"];
    const open = openThread(source, { thread, key });
    const known = options.from === undefined ? undefined : decodeCursor(options.from);
    const isKnown = known !== undefined && isFollowing(open, known);
    const out = new Batches({ restart: options.from !== undefined && !isKnown });
    for (const damage of [
      ...(failure === undefined ? [] : [failure]),
      ...source.damage,
      ...open.damage,
    ])
      if (!isKnown) out.damage(damage);
    yield* eventsOf(open, {
      options,
      from: isKnown ? known.messages : 0,
      isSame: isKnown && known.checkpoint === open.leaf?.id,
      out,
    });
    yield out.last(cursorOf(open));
  } finally {
    source.close();
  }
}

/** Whether what was read before is the beginning of what is there now. */
function isFollowing(
  open: OpenThread,
  known: { readonly checkpoint: string; readonly messages: number; readonly print: string },
): boolean {
  return open.printAt(known.messages) === known.print && known.messages <= open.messages.length;
}

function* eventsOf(
  open: OpenThread,
  work: {
    readonly options: ReadOptions;
    readonly from: number;
    readonly isSame: boolean;
    readonly out: Batches;
  },
): Generator<ReadBatch> {
  const { options, from, isSame, out } = work;
  if (isSame) return;
  const { last } = options;
  const wantsLast = last !== undefined && options.from === undefined;
  const live = wantsLast
    ? [...threadEvents(open, 0)].slice(-last || Number.POSITIVE_INFINITY)
    : threadEvents(open, from);
  for (const event of live) {
    out.event(event);
    if (out.isFull) yield out.take("");
  }
  if (options.allBranches !== true || wantsLast || from > 0) return;
  for (const event of readBranches(open, (damage) => out.damage(damage))) {
    out.event(event);
    if (out.isFull) yield out.take("");
  }
}
