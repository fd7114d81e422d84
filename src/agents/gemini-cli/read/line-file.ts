import { fstatSync } from "node:fs";
import { ByteWindow } from "../../../base/byte-window.ts";
import { endOfLine } from "../../../jsonl/line-number.ts";
import { proofBefore } from "../../../jsonl/proof.ts";
import { Batches } from "../../batches.ts";
import type { ReadBatch, ReadOptions } from "../../contract.ts";
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
import { MessageIndex } from "./message-index.ts";
import { readLast } from "./read-last.ts";
import { readOn } from "./read-on.ts";
import { RecordLoader } from "./record-loader.ts";

/** Reads a session of lines: all of it, its last events, or what came after a cursor. */
export function* readLineFile(fd: number, options: ReadOptions): Generator<ReadBatch> {
  const { last, allBranches = false } = options;
  if (last !== undefined) {
    yield readLast(fd, { last, allBranches });
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
  const went = yield* readOn(fd, { cursor, size, allBranches });
  if (!went) yield* readWhole(fd, { ...options, restart: true, skip: 0 });
}

function* readWhole(
  fd: number,
  options: ReadOptions & { readonly restart: boolean; readonly skip: number },
): Generator<ReadBatch> {
  const { size: whole } = fstatSync(fd);
  const size = options.until === undefined ? whole : endOfLine(fd, options.until, whole);
  const batches = new Batches({ restart: options.restart });
  const index = new MessageIndex();
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
  const replaying = replay(fd, { end: size, index, unknown: batches.unknown });
  let step = replaying.next();
  for (; !step.done; step = replaying.next()) {
    batches.damage(step.value);
    if (batches.isFull) yield batches.take(passing());
  }
  index.seal();
  const pairing = new CallPairing();
  const seen = new SeenMessages();
  let parent: string | undefined;
  const emitting = emitEvents({
    index,
    loader: new RecordLoader(new ByteWindow(fd, size)),
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
function endCursor(
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
