import { fstatSync } from "node:fs";
import { limits } from "../base/limits.ts";
import { isBlank, type Line } from "../jsonl/line.ts";
import { lineStart, linesBackward } from "../jsonl/read-backward.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import type { EventId } from "../model/event.ts";
import { unsealedHeader } from "./header.ts";
import { decodeLine, expectedSum, idOf, metaAtOf, prefixOf, sumOf } from "./line.ts";
import { isSealedLine } from "./sealed-line.ts";

/** Where a log stands: what the next line must follow. */
export interface TailState {
  /** The offset after the last sound line, and after what is blank behind it. */
  readonly size: number;
  readonly lastId: EventId;
  readonly lastSum: string;
  readonly metaAt: number | undefined;
}

/** Bytes that are no part of the log: damaged lines, and whole ones that do not follow the line before them. */
export interface BrokenSpan {
  readonly from: number;
  readonly to: number;
  /** What the log is before them. */
  readonly after: TailState;
}

/** What an opening writer finds at the end of a log. */
export interface TailReport {
  /** Where the log stands without what is broken. */
  readonly state: TailState | undefined;
  /** The first broken span; undefined where every line is sound. */
  readonly broken: BrokenSpan | undefined;
}

/** What is known before the end of a log is verified. */
export interface TailOptions {
  readonly known: TailState | undefined;
  readonly firstSum: string;
  /** The file of a session that is not sealed: a sealed line in it is refused, so that nothing readable follows it. */
  readonly plainFile?: string | undefined;
}

/** More broken spans than this are one: a file like that was not left so by writers that replaced each other. */
const mostSpans = 8;

/**
 * Verifies the end of a log: from a known state on, or back over the last 1 MiB. A line whose bytes
 * fit its sum needs no parsing. A whole line with another sum that the next line follows was changed by someone, not
 * torn by a crash: it stays, and `verify` reports it. A whole line that is followed by one that does not know it, or
 * that repeats a number, was written by somebody who had lost the lease: it is broken, and what follows it is not.
 */
export function examineTail(fd: number, options: TailOptions): TailReport {
  const size = fstatSync(fd).size;
  if (options.known !== undefined) return examineFrom(fd, options.known.size, { ...options, size });
  // Where all of the span is one torn line, what it follows lies further back.
  for (let span = limits.verifyTailBytes; ; span *= 4) {
    const from = lineStart(fd, size - span);
    const report = examineFrom(fd, from, { ...options, size });
    if (report.state !== undefined || from === 0) return report;
  }
}

function examineFrom(
  fd: number,
  from: number,
  options: TailOptions & { readonly size: number },
): TailReport {
  const { known, firstSum, size, plainFile } = options;
  let state = known;
  /** The span that is being passed over. */
  let open: { readonly from: number; readonly after: TailState } | undefined;
  /** The last line, where it did not fit what came before: the next one says whether it counts. */
  let doubtful: { readonly from: number; readonly after: TailState } | undefined;
  const spans: BrokenSpan[] = [];
  for (const line of linesForward(fd, { from, end: size })) {
    if (line.complete && !line.tooLong && isBlank(line.bytes)) {
      if (state !== undefined) state = { ...state, size: line.offset + line.length };
      continue;
    }
    const mark = markOf(line);
    if (plainFile !== undefined && mark !== undefined && isSealedLine(line.bytes)) {
      throw unsealedHeader(plainFile);
    }
    const previous: string | undefined =
      state?.lastSum ?? (line.offset === 0 ? firstSum : undefined);
    const grows = mark !== undefined && mark.id > (state?.lastId ?? 0);
    if (grows && previous !== undefined && expectedSum(line.bytes, previous) === mark.sum) {
      if (open !== undefined) spans.push({ ...open, to: line.offset });
      open = doubtful = undefined;
      state = after(line, mark, state);
      continue;
    }
    if (open !== undefined) continue;
    if (grows && doubtful && expectedSum(line.bytes, doubtful.after.lastSum) === mark.sum) {
      spans.push({ ...doubtful, to: line.offset });
      state = after(line, mark, doubtful.after);
      doubtful = undefined;
      continue;
    }
    if (mark !== undefined && grows && decodeLine(line.bytes) !== undefined) {
      doubtful = state === undefined ? undefined : { from: line.offset, after: state };
      state = after(line, mark, state);
      continue;
    }
    // Where nothing sound comes before it, there is nothing to go on from.
    if (state === undefined) return { state, broken: undefined };
    open = { from: line.offset, after: state };
    doubtful = undefined;
  }
  if (open !== undefined) spans.push({ ...open, to: size });
  const [first] = spans;
  if (first === undefined || spans.length <= mostSpans) return { state, broken: first };
  return { state: first.after, broken: { ...first, to: size } };
}

interface LineMark {
  readonly id: EventId;
  readonly sum: string;
}

/** The number and the sum of a line that is there from its first byte to its last. */
function markOf(line: Line): LineMark | undefined {
  if (!line.complete || line.tooLong) return undefined;
  const sum = sumOf(line.bytes);
  const id = idOf(line.bytes);
  return sum === undefined || id === undefined ? undefined : { id, sum };
}

function after(line: Line, { id, sum }: LineMark, before: TailState | undefined): TailState {
  return {
    size: line.offset + line.length,
    lastId: id,
    lastSum: sum,
    metaAt: metaAtAfter(line, before?.metaAt),
  };
}

/** A line that came after somebody else's lies further back than its writer knew: where a meta line lies is seen. */
function metaAtAfter(line: Line, before: number | undefined): number | undefined {
  const told = metaAtOf(line.bytes);
  if (told === undefined) return before;
  return prefixOf(line.bytes)?.type === "meta" ? line.offset : Math.max(told, before ?? 0);
}

/** Where a log stands if it ends at an offset; undefined if no whole line of ours ends there. */
export function stateAt(fd: number, offset: number): TailState | undefined {
  if (offset < 1 || offset > fstatSync(fd).size) return undefined;
  for (const line of linesBackward(fd, { end: offset })) {
    if (line.complete && isBlank(line.bytes)) continue;
    const mark = markOf(line);
    if (mark === undefined) return undefined;
    const state = after(line, mark, undefined);
    return { ...state, size: offset };
  }
  return undefined;
}
