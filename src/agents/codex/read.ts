import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { toldUnread } from "../session-file.ts";
import { decodeCursor } from "./read/cursor.ts";
import { endedAt } from "./read/ended-at.ts";
import { openLineage } from "./read/lineage.ts";
import { readLast } from "./read/read-last.ts";
import { readOn } from "./read/read-on.ts";
import { readWhole } from "./read/read-whole.ts";

/**
 * The events of a thread. What was appended since a cursor is read alone; where the file was
 * rewritten, or a compaction, roll-back or new segment changed what is live of the events before,
 * everything is read again and the first batch says `restart`.
 */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  return toldUnread(batches(ref, options), options);
}

async function* batches(ref: SessionRef, options: ReadOptions): AsyncGenerator<ReadBatch> {
  const { allBranches = false, last, from, until } = options;
  const cursor = decodeCursor(from);
  if (last === undefined && cursor?.done && cursor.allBranches === allBranches) {
    const complete = yield* readOn(ref, { cursor, text: from! });
    if (complete) return;
  }
  const whole = await openLineage(ref, { allBranches: allBranches || until !== undefined });
  const lineage = until === undefined ? whole : endedAt(whole, until);
  try {
    if (last !== undefined) yield readLast(lineage, { allBranches, count: last });
    else
      yield* readWhole(lineage, {
        allBranches,
        ...(from !== undefined && { resumed: { cursor } }),
      });
  } finally {
    whole.close();
  }
}
