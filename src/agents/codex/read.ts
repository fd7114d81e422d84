import type { Damage } from "../../model/damage.ts";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { decodeCursor } from "./read/cursor.ts";
import { type Lineage, openLineage } from "./read/lineage.ts";
import { readLast } from "./read/read-last.ts";
import { readOn } from "./read/read-on.ts";
import { readWhole } from "./read/read-whole.ts";

/**
 * The events of a thread. What was appended since a cursor is read alone; where the file was
 * rewritten, or a compaction, roll-back or new segment changed what is live of the events before,
 * everything is read again and the first batch says `restart`.
 */
export async function* read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  const { allBranches = false, last, from } = options;
  const cursor = decodeCursor(from);
  if (last === undefined && cursor?.done && cursor.allBranches === allBranches) {
    const complete = yield* readOn(ref, { cursor, text: from! });
    if (complete) return;
  }
  let lineage: Lineage;
  try {
    lineage = await openLineage(ref, { allBranches });
  } catch (error) {
    yield unreadable(from, error);
    return;
  }
  try {
    if (last !== undefined) yield readLast(lineage, { allBranches, count: last });
    else
      yield* readWhole(lineage, {
        allBranches,
        ...(from !== undefined && { resumed: { cursor } }),
      });
  } finally {
    lineage.close();
  }
}

function unreadable(from: string | undefined, error: unknown): ReadBatch {
  const detail = error instanceof Error ? error.message : "not readable";
  const damage: Damage = { kind: "missing_file", offset: 0, recovered: 0, detail };
  return { events: [], damage: [damage], cursor: from ?? "" };
}
