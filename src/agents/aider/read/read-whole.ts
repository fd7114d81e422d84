import { limits } from "../../../base/limits.ts";
import { lineNumber } from "../../../jsonl/line-number.ts";
import { proofBefore } from "../../../jsonl/proof.ts";
import type { Damage } from "../../../model/damage.ts";
import type { AgentEvent, ReadBatch, ReadOptions } from "../../contract.ts";
import { type CursorState, encodeCursor } from "./cursor.ts";
import { EventMaker } from "./events.ts";
import { type Range, type RunLine, runLines } from "./lines.ts";

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
  let last = { next: from, line: cursor?.line ?? 0, complete: !cursor?.midLine };
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
  const part = { offset: from, end: range.end, firstLine: last.line + 1, runOffset: range.offset };
  for (const found of runLines(fd, part)) {
    if (found.damage !== undefined) {
      told += 1;
      if (told <= limits.toldDamages) damage.push(found.damage);
    }
    const number = (): string => lineNumber(found);
    for (const line of found.parts) maker.line(line, number);
    last = found;
    if (!maker.hasEvents) continue;
    gather();
    if (events.length < eventsPerBatch) continue;
    yield take(
      encodeCursor({ ...placeAfter(last), end: range.end, inAnswer: false, sample, done }),
    );
  }
  const open = maker.openKind ?? cursor?.open;
  const inAnswer = maker.inAnswer || (cursor?.inAnswer ?? false);
  maker.end();
  gather();
  if (maker.splits > 0) {
    const detail = `${maker.splits} messages are too long and were split`;
    damage.push({ kind: "too_long", offset: range.offset, recovered: maker.splits, detail });
  }
  if (told > limits.toldDamages) {
    const detail = `${told - limits.toldDamages} more damaged lines`;
    damage.push({ kind: "bad_utf8", offset: range.offset, recovered: 0, detail });
  }
  yield take(
    encodeCursor({
      ...placeAfter(last),
      sample: proofBefore(fd, last.next, range.offset),
      inAnswer,
      ...(open === undefined ? {} : { open }),
      ...(maker.parent === undefined ? {} : { parent: maker.parent }),
    }),
  );
}

function placeAfter({
  next,
  line,
  complete,
}: Pick<RunLine, "next" | "line" | "complete">): Pick<CursorState, "end" | "line" | "midLine"> {
  return { end: next, line, midLine: !complete };
}
