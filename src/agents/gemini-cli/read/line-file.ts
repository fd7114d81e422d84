import { fstatSync } from "node:fs";
import { ByteWindow } from "../../../base/byte-window.ts";
import { proofBefore } from "../../../jsonl/proof.ts";
import type { ReadBatch, ReadOptions } from "../../contract.ts";
import { UnknownTally } from "../record-types.ts";
import { Batches } from "./batches.ts";
import { CallPairing } from "./call-pairing.ts";
import {
  decodeCursor,
  encodeCursor,
  type LineCursor,
  rememberedCalls,
  SeenMessages,
} from "./cursor.ts";
import { emitEvents } from "./events.ts";
import { type ReplayEnd, replay } from "./live-path.ts";
import { Ledger } from "./message-index.ts";
import { lastEvents } from "./read-last.ts";
import { readOn } from "./read-on.ts";
import { Loader } from "./record-loader.ts";

/** Reads a session of lines: all of it, its last events, or what came after a cursor. */
export function* readLines(fd: number, options: ReadOptions): Generator<ReadBatch> {
  if (options.last !== undefined) {
    yield* readLast(fd, options);
    return;
  }
  if (options.from === undefined) {
    yield* readWhole(fd, { ...options, restart: false, skip: 0 });
    return;
  }
  const cursor = decodeCursor(options.from);
  const size = fstatSync(fd).size;
  const known =
    cursor !== undefined && cursor.end <= size && proofBefore(fd, cursor.end) === cursor.sample;
  if (!known) {
    yield* readWhole(fd, { ...options, restart: true, skip: 0 });
    return;
  }
  if (cursor.done !== undefined) {
    // The pass was left half-way: the same pass again, if it still is the same.
    const same = cursor.end === size;
    yield* readWhole(fd, { ...options, restart: !same, skip: same ? cursor.done : 0 });
    return;
  }
  const went = yield* readOn(fd, { cursor, size, allBranches: options.allBranches ?? false });
  if (!went) yield* readWhole(fd, { ...options, restart: true, skip: 0 });
}

function* readWhole(
  fd: number,
  options: ReadOptions & { readonly restart: boolean; readonly skip: number },
): Generator<ReadBatch> {
  const size = fstatSync(fd).size;
  const tally = new UnknownTally();
  const batches = new Batches(tally, { restart: options.restart });
  const ledger = new Ledger();
  const midway: Omit<LineCursor, "done"> = {
    end: size,
    line: 0,
    open: false,
    sample: proofBefore(fd, size),
    seen: [],
    answered: [],
  };
  let done = 0;
  const passing = (): string => encodeCursor({ ...midway, done });
  const replaying = replay(fd, { end: size, ledger, tally });
  let step = replaying.next();
  for (; !step.done; step = replaying.next()) {
    batches.damage(step.value);
    if (batches.isFull) yield batches.take(passing());
  }
  ledger.seal();
  const pairing = new CallPairing();
  const seen = new SeenMessages();
  let parent: string | undefined;
  const emitting = emitEvents({
    ledger,
    loader: new Loader(new ByteWindow(fd, size)),
    allBranches: options.allBranches ?? false,
    pairing,
    onDamage: (damage) => batches.damage(damage),
    onMessage: (emitted) => seen.add(emitted),
  });
  for (const event of emitting) {
    done += 1;
    if (event.live) parent = event.number;
    if (done <= options.skip) continue;
    batches.event(event);
    if (batches.isFull) yield batches.take(passing());
  }
  yield batches.last(encodeCursor(endCursor(fd, step.value, { seen, pairing, parent })));
}

/** The cursor after everything that was whole. */
export function endCursor(
  fd: number,
  reached: ReplayEnd,
  state: {
    readonly seen: SeenMessages;
    readonly pairing: CallPairing;
    readonly parent: string | undefined;
  },
): LineCursor {
  return {
    ...reached,
    sample: proofBefore(fd, reached.end),
    ...state.seen.state(),
    answered: state.pairing.answered(rememberedCalls),
    ...(state.parent === undefined ? {} : { parent: state.parent }),
  };
}

/** The last events, from the end where the file allows it, else by a pass that keeps only them. */
function* readLast(fd: number, options: ReadOptions): Generator<ReadBatch> {
  const count = Math.max(0, Math.floor(options.last ?? 0));
  const size = fstatSync(fd).size;
  const tally = new UnknownTally();
  const batches = new Batches(tally);
  const cursor = encodeCursor({
    end: size,
    line: 0,
    open: false,
    sample: proofBefore(fd, size),
    done: 0,
    seen: [],
    answered: [],
  });
  const allBranches = options.allBranches ?? false;
  const near = lastEvents(fd, { size, count, allBranches, tally });
  if (near !== undefined) {
    for (const damage of near.damage) batches.damage(damage);
    for (const event of near.events) batches.event(event);
    yield batches.last(cursor);
    return;
  }
  const ledger = new Ledger();
  const replaying = replay(fd, { end: size, ledger, tally });
  for (let step = replaying.next(); !step.done; step = replaying.next()) batches.damage(step.value);
  ledger.seal();
  // Most messages give an event; where too few do, the pass is done again from the start.
  const guess = Math.max(0, ledger.liveSize - count * 4 - 64);
  for (const fromPosition of guess > 0 && !allBranches ? [guess, 0] : [0]) {
    let kept: Parameters<Batches["event"]>[0][] = [];
    const emitting = emitEvents({
      ledger,
      loader: new Loader(new ByteWindow(fd, size)),
      allBranches,
      fromPosition,
      pairing: new CallPairing(),
      onDamage: (damage) => batches.damage(damage),
    });
    for (const event of emitting) {
      kept.push(event);
      if (kept.length >= count * 2 + 256) kept = kept.slice(-count || kept.length);
    }
    if (kept.length < count && fromPosition > 0) continue;
    for (const event of count === 0 ? [] : kept.slice(-count)) batches.event(event);
    break;
  }
  yield batches.last(cursor);
}
