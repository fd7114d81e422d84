import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import { limits } from "../../../base/limits.ts";
import { newline } from "../../../jsonl/line.ts";
import { isCounted, lineNumber } from "../../../jsonl/line-number.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import { linesForward } from "../../../jsonl/read-forward.ts";
import type { Damage } from "../../../model/damage.ts";
import { type HistoryLine, splitLine } from "../line-kind.ts";

/** A part of a file. */
export interface Range {
  readonly offset: number;
  readonly end: number;
}

/** Lines of a range that follow each other, with the damage among them. */
export interface LineBlock {
  /** The number of the first line. */
  readonly number: number;
  /** Where each line begins, counted from the run's start; only where some are numbered by that. */
  readonly offsets?: readonly number[];
  /** The parts of each line; a line that is too long to hold has none. */
  readonly lines: readonly (readonly HistoryLine[])[];
  readonly damage: readonly Damage[];
  /** The byte after the last line. */
  readonly next: number;
  /** Whether a newline ended the last line. */
  readonly complete: boolean;
}

const unusual = /[\r\v\f\u001c-\u001e\u0085\u2028\u2029]/;

/** The lines of a range in blocks; what is not text is told, and kept as far as it can be read. */
export function* rangeBlocks(
  fd: number,
  range: Range & {
    readonly firstLine?: number;
    /** Where the run begins that the range is a part of. */
    readonly runOffset?: number;
  },
): Generator<LineBlock> {
  const runOffset = range.runOffset ?? range.offset;
  const buffer = Buffer.allocUnsafe(limits.chunkBytes);
  let number = range.firstLine ?? 1;
  let position = range.offset;
  while (position < range.end) {
    const taken = readSync(fd, buffer, 0, Math.min(buffer.length, range.end - position), position);
    if (taken === 0) return;
    const whole = buffer.subarray(0, buffer.lastIndexOf(newline, taken - 1) + 1);
    const block =
      plainBlock(whole, { number, position, runOffset }) ??
      slowBlock(fd, { number, range, position, runOffset });
    yield block;
    number += block.lines.length;
    position = block.next;
  }
}

/** A chunk that ends with a line and is plain text: decoded and cut at once. */
function plainBlock(
  bytes: Buffer,
  place: { readonly number: number; readonly position: number; readonly runOffset: number },
): LineBlock | undefined {
  if (bytes.length === 0 || bytes.includes(0) || !isUtf8(bytes)) return undefined;
  const text = bytes.toString();
  if (unusual.test(text) || text.charCodeAt(0) === 0xfeff) return undefined;
  const lines = text.split("\n");
  lines.pop();
  const next = place.position + bytes.length;
  return {
    number: place.number,
    ...(!isCounted(next - place.runOffset) && { offsets: offsetsOf(lines, place) }),
    lines: lines.map((line) => [{ text: line, end: "\n" }]),
    damage: [],
    next,
    complete: true,
  };
}

function offsetsOf(
  lines: readonly string[],
  place: { readonly position: number; readonly runOffset: number },
): readonly number[] {
  let at = place.position - place.runOffset;
  return lines.map((line) => {
    const offset = at;
    at += Buffer.byteLength(line) + 1;
    return offset;
  });
}

/** The number of a line of a block. */
export function numberIn(block: LineBlock, index: number): string {
  return lineNumber({ line: block.number + index, offset: block.offsets?.[index] ?? 0 });
}

/** The next lines one by one, about a chunk of them. */
function slowBlock(
  fd: number,
  place: {
    readonly number: number;
    readonly range: Range;
    readonly position: number;
    readonly runOffset: number;
  },
): LineBlock {
  const lines: (readonly HistoryLine[])[] = [];
  const offsets: number[] = [];
  const damage: Damage[] = [];
  let next = place.position;
  let complete = true;
  for (const line of linesForward(fd, { from: place.position, end: place.range.end })) {
    const { offset, length, bytes } = line;
    complete = line.complete;
    next = offset + length;
    offsets.push(offset - place.runOffset);
    if (line.tooLong) {
      lines.push([]);
      damage.push({ kind: "too_long", offset, length, recovered: 0 });
    } else {
      const hasMark = offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
      lines.push(splitLine(bytes.toString("utf8", hasMark ? 3 : 0), complete));
      const kind = bytes.includes(0) ? "nul_run" : isUtf8(bytes) ? undefined : "bad_utf8";
      if (kind !== undefined) damage.push({ kind, offset, length, recovered: 1 });
    }
    if (next - place.position >= limits.chunkBytes) break;
  }
  return { number: place.number, offsets, lines, damage, next, complete };
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
