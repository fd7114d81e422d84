import type { Cursor, ReadBatch } from "../../contract.ts";
import { decodeCursor } from "./cursor.ts";
import { newestCut } from "./live-path.ts";
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
  if (place !== undefined && (place.aheadOf === end || place.offset === end)) {
    yield { events: [], damage: [], cursor: from };
    return;
  }
  const isSame = place !== undefined && place.offset < end && place.aheadOf === undefined;
  const cut = isSame ? newestCut(fd, { from: place.offset, end }) : undefined;
  if (isSame && (cut === undefined || allBranches)) {
    yield* readPart(fd, { end, allBranches, place, liveFrom: cut ?? 0 });
    return;
  }
  const liveFrom = cut ?? newestCut(fd, { from: 0, end }) ?? 0;
  yield* readPart(fd, { end, allBranches, liveFrom, restart: true });
}
