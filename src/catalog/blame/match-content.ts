import { limits } from "../../base/limits.ts";
import type { Confidence, Evidence, Writer } from "./content.ts";
import { isTelling, unformatted } from "./lines.ts";

/** Lines somebody wrote that may stand in the file, in their order. */
export interface WrittenRun {
  readonly edit: number;
  readonly lines: readonly string[];
  readonly confidence: Confidence;
  readonly evidence: Evidence;
}

interface Spot {
  readonly run: WrittenRun;
  readonly at: number;
}

/**
 * Finds writers for lines that replaying left without one, by what the lines say: the newest run that has
 * such a line counts, and each line of a run is found once. Lines that say little are taken only beside
 * one that was found.
 */
export function matchContent(
  lines: readonly string[],
  writers: (Writer | undefined)[],
  options: {
    /** The newest first. */
    readonly runs: readonly WrittenRun[];
    /** Whether the edit may have written this line; git may know that it is older. */
    isPossible(edit: number, line: number): boolean;
  },
): void {
  const taken = new Map(options.runs.map((run) => [run, new Set<number>()] as const));
  const isFree = (spot: Spot, line: number): boolean =>
    taken.get(spot.run)?.has(spot.at) !== true && options.isPossible(spot.run.edit, line);
  const take = (spot: Spot, line: number, writer: Writer): void => {
    taken.get(spot.run)?.add(spot.at);
    writers[line] = writer;
  };
  const spread = (spot: Spot, line: number, step: 1 | -1): void => {
    const found: Spot[] = [];
    for (let by = step; ; by += step) {
      const text = lines[line + by];
      const near = { run: spot.run, at: spot.at + by };
      const isSame = text !== undefined && text === spot.run.lines[near.at];
      if (!isSame || writers[line + by] !== undefined || !isFree(near, line + by)) return;
      found.push(near);
      if (!isTelling(text)) continue;
      // Up to here all lines stand as they were written, so those between are the same ones.
      for (const one of found.splice(0)) take(one, line + one.at - spot.at, writerOf(spot.run));
    }
  };
  // Of lines that were taken away it cannot be reported which one came back, if several edits had written it.
  const onlyIn = (spots: readonly Spot[] | undefined, line: number): Spot | undefined => {
    const free = spots?.filter((spot) => isFree(spot, line)) ?? [];
    const [first] = free;
    const isTold = first?.run.evidence !== "moved";
    return isTold || free.every(({ run }) => run.edit === first.run.edit) ? first : undefined;
  };
  const exact = spotsBy(options.runs, (line) => line);
  for (const [line, text] of lines.entries()) {
    if (writers[line] !== undefined || !isTelling(text)) continue;
    const spot = onlyIn(exact.get(text), line);
    if (spot === undefined) continue;
    take(spot, line, writerOf(spot.run));
    spread(spot, line, -1);
    spread(spot, line, 1);
  }
  const loose = spotsBy(options.runs, unformatted);
  for (const [line, text] of lines.entries()) {
    if (writers[line] !== undefined || !isTelling(text)) continue;
    const spot = onlyIn(loose.get(unformatted(text)), line);
    if (spot === undefined) continue;
    take(spot, line, { edit: spot.run.edit, confidence: "possible", evidence: "reformatted" });
  }
}

function writerOf({ edit, confidence, evidence }: WrittenRun): Writer {
  return { edit, confidence, evidence };
}

function spotsBy(
  runs: readonly WrittenRun[],
  key: (line: string) => string,
): ReadonlyMap<string, readonly Spot[]> {
  const spots = new Map<string, Spot[]>();
  for (const run of runs) {
    for (const [at, line] of run.lines.entries()) {
      if (!isTelling(line)) continue;
      const known = spots.get(key(line));
      if (known === undefined) spots.set(key(line), [{ run, at }]);
      else if (known.length < limits.writtenSpots) known.push({ run, at });
    }
  }
  return spots;
}
