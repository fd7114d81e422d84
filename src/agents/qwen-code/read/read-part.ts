import { recordsForward } from "../../../jsonl/records.ts";
import { Batches } from "../../batches.ts";
import type { ReadBatch } from "../../contract.ts";
import { acceptsRecord } from "../record-types.ts";
import { encodeCursor, type Place } from "./cursor.ts";
import { eventsOf } from "./events.ts";
import type { LivePlaces } from "./live-path.ts";

/** Which part of a file to read, and how. */
export interface PartOptions {
  readonly end: number;
  readonly live: LivePlaces;
  /** The record the program would continue. */
  readonly leaf: string | undefined;
  readonly allBranches?: boolean | undefined;
  /** Where an earlier reading stopped; the beginning if absent. */
  readonly place?: Place | undefined;
  readonly restart?: boolean;
}

/** Reads [place, end) of a file in the order of its lines. */
export function* readPart(fd: number, options: PartOptions): Generator<ReadBatch> {
  const { end, place, live, leaf, allBranches = false, restart = false } = options;
  const batches = new Batches({ restart });
  let { offset, line } = place ?? { offset: 0, line: 0 };
  let aheadOf: number | undefined;
  const cursor = (): string => encodeCursor(fd, { offset, line, leaf, aheadOf });
  const part = { from: offset, end, firstLine: line + 1, accepts: acceptsRecord };
  for (const found of recordsForward(fd, part)) {
    if (found.damage !== undefined) batches.damage(found.damage);
    for (const event of eventsOf(found, { live, unknown: batches.unknown })) {
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
