import { matchLines } from "../blame/match-lines.ts";

/** One line of a hunk, with its place in the file it stands in. */
export interface HunkLine {
  readonly kind: "added" | "removed" | "same";
  readonly text: string;
  /** From 0, in the file before for removed lines, in the file after for all others. */
  readonly at: number;
}

/** Lines that changed together, with a few around them. */
export interface Hunk {
  /** The first line, from 1, and how many; as unified diffs count them. */
  readonly from: readonly [start: number, count: number];
  readonly to: readonly [start: number, count: number];
  readonly lines: readonly HunkLine[];
}

const around = 3;

/** What differs between two texts, in order. */
export function hunksBetween(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  const lines = alignedLines(before, after);
  const hunks: Hunk[] = [];
  let begin = 0;
  while (begin < lines.length) {
    const first = lines.findIndex(({ kind }, at) => at >= begin && kind !== "same");
    if (first < 0) break;
    let end = first;
    // What is not a further apart than the lines shown around it is one hunk.
    for (let at = first; at < lines.length && at - end <= around * 2; at += 1) {
      if (lines[at]!.kind !== "same") end = at;
    }
    const shown = lines.slice(Math.max(begin, first - around), end + 1 + around);
    hunks.push(hunkOf(shown, lines.indexOf(shown[0]!), lines));
    begin = end + 1 + around;
  }
  return hunks;
}

/** Every line of both, removed ones before what was added in their place. */
function alignedLines(before: readonly string[], after: readonly string[]): readonly HunkLine[] {
  const matched = matchLines(before, after);
  const lines: HunkLine[] = [];
  let gone = 0;
  const removeTo = (end: number): void => {
    for (; gone < end; gone += 1) lines.push({ kind: "removed", text: before[gone]!, at: gone });
  };
  let waiting: HunkLine[] = [];
  for (const [at, text] of after.entries()) {
    const old = matched[at]!;
    if (old < 0) {
      waiting.push({ kind: "added", text, at });
      continue;
    }
    removeTo(old);
    lines.push(...waiting, { kind: "same", text, at });
    waiting = [];
    gone = old + 1;
  }
  removeTo(before.length);
  return [...lines, ...waiting];
}

function hunkOf(shown: readonly HunkLine[], begin: number, all: readonly HunkLine[]): Hunk {
  const count = (lines: readonly HunkLine[], without: HunkLine["kind"]): number =>
    lines.filter(({ kind }) => kind !== without).length;
  const ahead = all.slice(0, begin);
  const place = (without: HunkLine["kind"]): readonly [number, number] => {
    const lines = count(shown, without);
    const start = count(ahead, without);
    // An empty side is named by the line before it.
    return [lines === 0 ? start : start + 1, lines];
  };
  return { from: place("added"), to: place("removed"), lines: shown };
}
