import type { Cursor, ReadBatch } from "../../contract.ts";
import { decodeCursor } from "./cursor.ts";
import { LivePlaces, livePath, type PathEnd } from "./live-path.ts";
import { readAll } from "./read-all.ts";
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
  if (place === undefined || place.offset > end || place.aheadOf !== undefined) {
    yield* readAll(fd, { end, allBranches, restart: true });
    return;
  }
  const told: PathEnd = {};
  const live = new LivePlaces(livePath(fd, { from: place.offset, end, told }));
  // Another branch, or a history in the place of what was handed out.
  const isSame = told.leaf === undefined || (told.wanted === place.leaf && told.cut !== true);
  if (isSame || (allBranches && told.cut === true)) {
    yield* readPart(fd, { end, place, live, leaf: told.leaf ?? place.leaf, allBranches });
  } else yield* readAll(fd, { end, allBranches, restart: true });
}
