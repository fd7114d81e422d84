import { matchLines } from "../blame/match-lines.ts";
import { exactLines, exactText } from "./exact-lines.ts";

/** Two changes of one text as one. */
export interface Merged {
  readonly text: string;
  /** Places that both changed in different ways; they stand in the text between marks. */
  readonly conflicts: number;
}

/** Lines of the base from `start` to before `end` that became others. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * Merges what two sides made of one text. Where both changed the same lines in different ways, both stand there between the
 * marks that editors know.
 */
export function mergeThree(
  base: string,
  [ours, theirs]: readonly [string, string],
  names: readonly [string, string],
): Merged {
  const [old, mine, yours] = [base, ours, theirs].map(exactLines) as [Lines, Lines, Lines];
  const left = [...regionsBetween(old, mine)];
  const right = [...regionsBetween(old, yours)];
  const out: string[] = [];
  let conflicts = 0;
  let at = 0;
  while (left.length + right.length > 0) {
    const start = Math.min(left[0]?.start ?? Infinity, right[0]?.start ?? Infinity);
    out.push(...old.slice(at, start));
    const [mineHere, yoursHere, end] = takeOverlap(left, right, start);
    const [one, two] = [mineHere, yoursHere].map((regions) => linesIn(old, regions, [start, end]));
    if (yoursHere.length === 0 || isSame(one!, two!)) out.push(...one!);
    else if (mineHere.length === 0) out.push(...two!);
    else {
      conflicts += 1;
      const [a, b] = names;
      out.push(`<<<<<<< ${a}`, ...one!, "=======", ...two!, `>>>>>>> ${b}`);
    }
    at = end;
  }
  out.push(...old.slice(at));
  return { text: exactText(out), conflicts };
}

type Lines = readonly string[];

/** Takes the regions of both sides that touch each other, beginning with the first; returns where they end. */
function takeOverlap(
  left: Region[],
  right: Region[],
  start: number,
): readonly [readonly Region[], readonly Region[], number] {
  const taken: [Region[], Region[]] = [[], []];
  let end = start;
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    for (const [side, regions] of [left, right].entries()) {
      const next = regions[0];
      const isFirst = taken[0].length + taken[1].length === 0;
      if (next === undefined || next.start > end || (isFirst && next.start > start)) continue;
      taken[side as 0 | 1].push(regions.shift()!);
      end = Math.max(end, next.end);
      isGrowing = true;
    }
  }
  return [...taken, end];
}

/** What one side has in a span of the base. */
function linesIn(
  base: Lines,
  regions: readonly Region[],
  [start, end]: readonly [number, number],
): Lines {
  const lines: string[] = [];
  let at = start;
  for (const region of regions) {
    lines.push(...base.slice(at, region.start), ...region.lines);
    at = region.end;
  }
  return [...lines, ...base.slice(at, end)];
}

function* regionsBetween(base: Lines, other: Lines): Generator<Region> {
  const matched = matchLines(base, other);
  let start = 0;
  let lines: string[] = [];
  for (const [at, text] of other.entries()) {
    const old = matched[at]!;
    if (old < 0) {
      lines.push(text);
      continue;
    }
    if (old > start || lines.length > 0) yield { start, end: old, lines };
    start = old + 1;
    lines = [];
  }
  if (start < base.length || lines.length > 0) yield { start, end: base.length, lines };
}

function isSame(one: Lines, two: Lines): boolean {
  return one.length === two.length && one.every((line, at) => line === two[at]);
}
