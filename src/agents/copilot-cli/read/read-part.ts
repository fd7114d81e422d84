import { recordsForward } from "../../../jsonl/records.ts";
import { Batches } from "../../batches.ts";
import type { ReadBatch } from "../../contract.ts";
import { acceptsRecord } from "../record-types.ts";
import { encodeCursor, type Place } from "./cursor.ts";
import { EventMaker } from "./events.ts";

/** Which part of a file to read, and how. */
export interface PartOptions {
  readonly end: number;
  /** Where what is live begins. */
  readonly liveFrom: number;
  readonly allBranches?: boolean | undefined;
  /** Where an earlier reading stopped; the beginning if absent. */
  readonly place?: Place | undefined;
  readonly restart?: boolean;
}

/** Reads [place, end) of a file in the order of its lines. */
export function* readPart(fd: number, options: PartOptions): Generator<ReadBatch> {
  const { end, place, allBranches = false, liveFrom, restart = false } = options;
  const batches = new Batches({ restart });
  const maker = new EventMaker(fd, { liveFrom, usage: place?.usage });
  let { offset, line } = place ?? { offset: 0, line: 0 };
  let aheadOf: number | undefined;
  const cursor = (): string => encodeCursor(fd, { offset, line, usage: maker.usage, aheadOf });
  const from = offset;
  for (const found of recordsForward(fd, {
    from,
    end,
    firstLine: line + 1,
    accepts: acceptsRecord,
  })) {
    if (found.damage !== undefined) batches.damage(found.damage);
    for (const event of maker.eventsOf(found, batches.unknown)) {
      if (allBranches || event.live) batches.event(event);
    }
    if (found.complete) {
      offset = found.offset + found.length;
      line = found.line;
    } else if (found.records.length > 0) aheadOf = end;
    batches.read(found.length);
    if (batches.isFull) yield batches.take(cursor());
  }
  yield batches.last(cursor());
}
