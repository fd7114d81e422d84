import { isUtf8 } from "node:buffer";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import { linesForward } from "../../../jsonl/read-forward.ts";
import type { Damage } from "../../../model/damage.ts";
import { type HistoryLine, splitLine } from "../line-kind.ts";

/** A part of a file. */
export interface Range {
  readonly offset: number;
  readonly end: number;
}

/** A line of a run. */
export interface RunLine {
  /** Its number and where it begins, both counted from the run's start. */
  readonly line: number;
  readonly offset: number;
  /** As Python cuts it; none where it is too long to hold. */
  readonly parts: readonly HistoryLine[];
  readonly damage: Damage | undefined;
  /** The byte after it. */
  readonly next: number;
  /** Whether a newline ended it. */
  readonly complete: boolean;
}

/** The lines of a range; what is not text is reported, and kept as far as it can be read. */
export function* runLines(
  fd: number,
  range: Range & {
    readonly firstLine?: number;
    /** Where the run begins that the range is a part of. */
    readonly runOffset?: number;
  },
): Generator<RunLine> {
  const runOffset = range.runOffset ?? range.offset;
  let line = (range.firstLine ?? 1) - 1;
  for (const found of linesForward(fd, { from: range.offset, end: range.end })) {
    line += 1;
    const { offset, length, complete, tooLong, bytes } = found;
    const hasMark = offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    const text = bytes.toString("utf8", hasMark ? 3 : 0);
    const kind = tooLong ? "too_long" : text.includes("\u0000") ? "nul_run" : "bad_utf8";
    // Decoding replaces what is not UTF-8.
    const isSound = kind === "bad_utf8" && (!text.includes("\ufffd") || isUtf8(bytes));
    yield {
      line,
      offset: offset - runOffset,
      parts: tooLong ? [] : splitLine(text, complete),
      damage: isSound ? undefined : { kind, offset, length, recovered: tooLong ? 0 : 1 },
      next: offset + length,
      complete,
    };
  }
}

const userMark = Buffer.from("#### ");
const programMark = Buffer.from("> ");

/**
 * A place in a range from which reading gives at least `count` events and the same ones as from the start: where
 * user lines begin. Found from the end; the start of the range where there is none.
 */
export function turnStart(
  fd: number,
  range: Range & { readonly count: number; readonly countProgram: boolean },
): number {
  let events = 0;
  let following: { readonly offset: number; readonly isUser: boolean } | undefined;
  for (const line of linesBackward(fd, { end: range.end })) {
    if (line.offset < range.offset) break;
    const isUser = startsWith(line.bytes, userMark);
    if (following?.isUser && !isUser) {
      events += 1;
      if (events > range.count) return following.offset;
    }
    if (range.countProgram && startsWith(line.bytes, programMark)) events += 1;
    following = { offset: line.offset, isUser };
  }
  return range.offset;
}

function startsWith(bytes: Buffer, mark: Buffer): boolean {
  return bytes.length >= mark.length && bytes.subarray(0, mark.length).equals(mark);
}
