import type { ReadBatch } from "../../contract.ts";
import { LivePlaces, livePath, type PathEnd } from "./live-path.ts";
import { readPart } from "./read-part.ts";

/** Reads a file from its beginning: a first pass follows the path from its end, a second hands out events. */
export function* readAll(
  fd: number,
  options: {
    readonly end: number;
    readonly allBranches?: boolean | undefined;
    readonly restart?: boolean;
  },
): Generator<ReadBatch> {
  const told: PathEnd = {};
  const live = new LivePlaces(livePath(fd, { from: 0, end: options.end, told }));
  yield* readPart(fd, { ...options, live, leaf: told.leaf });
}
