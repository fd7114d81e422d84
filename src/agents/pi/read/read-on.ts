import type { Cursor, ReadBatch } from "../../contract.ts";
import { decodeCursor } from "./cursor.ts";
import { readPart } from "./read-part.ts";

/** Goes on from a cursor; from the beginning where the file, or what is live in it, is another. */
export function* readOn(
  fd: number,
  options: {
    readonly from: Cursor;
    readonly end: number;
    readonly allBranches?: boolean | undefined;
  },
): Generator<ReadBatch> {
  const { from, end, allBranches } = options;
  const place = decodeCursor(fd, from);
  if (place?.aheadOf === end || (place !== undefined && place.offset === end)) {
    yield { events: [], damage: [], cursor: from };
    return;
  }
  const again = place === undefined || place.offset > end || place.aheadOf !== undefined;
  if (again) yield* readPart(fd, { end, allBranches, restart: true });
  else yield* readPart(fd, { end, allBranches, place });
}
