import { limits } from "../../../base/limits.ts";
import { proofBefore } from "../../../jsonl/proof.ts";
import type { Damage } from "../../../model/damage.ts";
import type { AgentEvent, ReadBatch, ReadOptions } from "../../contract.ts";
import { type CursorState, encodeCursor } from "./cursor.ts";
import { EventMaker } from "./events.ts";
import { numberIn, type Range, rangeBlocks } from "./lines.ts";

const eventsPerBatch = 64;

/** What is read of a file: a run, or all of it. */
export type RangeOptions = ReadOptions & { readonly session: string; readonly range: Range };

/** The events of a run in batches, from its start or from a cursor on. */
export function* readWhole(
  fd: number,
  options: RangeOptions & {
    readonly restart?: boolean;
    /** So many events were handed out before. */
    readonly skip?: number;
    readonly cursor?: CursorState;
  },
): Generator<ReadBatch> {
  const { range, cursor, skip = 0 } = options;
  const from = cursor?.end ?? range.offset;
  const trueText = options.allBranches ?? false;
  const maker = new EventMaker(options.session, { parent: cursor?.parent, trueText });
  let { restart = false } = options;
  let events: AgentEvent[] = [];
  let damage: Damage[] = [];
  let told = 0;
  let done = 0;
  let at = { end: from, line: cursor?.line ?? 0, midLine: cursor?.midLine ?? false };
  const sample = proofBefore(fd, range.end, range.offset);
  const take = (text: string): ReadBatch => {
    const batch = { events, damage, cursor: text, ...(restart ? { restart } : {}) };
    events = [];
    damage = [];
    restart = false;
    return batch;
  };
  const gather = (): void => {
    for (const event of maker.take()) {
      if (!event.live && !options.allBranches) continue;
      done += 1;
      if (done > skip) events.push(event);
    }
  };
  const part = { offset: from, end: range.end, firstLine: at.line + 1, runOffset: range.offset };
  for (const block of rangeBlocks(fd, part)) {
    for (const one of block.damage) {
      told += 1;
      if (told <= limits.toldDamages) damage.push(one);
    }
    for (const [index, parts] of block.lines.entries()) {
      const number = (): string => numberIn(block, index);
      for (const line of parts) maker.line(line, number);
      if (!maker.hasEvents) continue;
      gather();
      if (events.length < eventsPerBatch) continue;
      yield take(encodeCursor({ ...at, end: range.end, inAnswer: false, sample, done }));
    }
    const line = block.number + block.lines.length - 1;
    at = { end: block.next, line, midLine: !block.complete };
  }
  const open = maker.openKind ?? cursor?.open;
  const inAnswer = maker.inAnswer || (cursor?.inAnswer ?? false);
  maker.end();
  gather();
  if (maker.splits > 0) {
    const detail = `${maker.splits} messages are too long and were told in pieces`;
    damage.push({ kind: "too_long", offset: range.offset, recovered: maker.splits, detail });
  }
  if (told > limits.toldDamages) {
    const detail = `${told - limits.toldDamages} more damaged lines`;
    damage.push({ kind: "bad_utf8", offset: range.offset, recovered: 0, detail });
  }
  yield take(
    encodeCursor({
      ...at,
      sample: proofBefore(fd, at.end, range.offset),
      inAnswer,
      ...(open === undefined ? {} : { open }),
      ...(maker.parent === undefined ? {} : { parent: maker.parent }),
    }),
  );
}
