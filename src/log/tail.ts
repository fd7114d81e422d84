import { fstatSync } from "node:fs";
import { limits } from "../base/limits.ts";
import { lineStart, linesBackward } from "../jsonl/read-backward.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import type { EventId } from "../model/event.ts";
import { unsealedHeader } from "./header.ts";
import { decodeLine, expectedSum, idOf, metaAtOf, sumOf } from "./line.ts";
import { isSealedLine } from "./sealed-line.ts";

/** Where a log stands: what the next line must follow. */
export interface TailState {
  /** The offset after the last sound line. */
  readonly size: number;
  readonly lastId: EventId;
  readonly lastSum: string;
  readonly metaAt: number | undefined;
}

/** What an opening writer finds at the end of a log. */
export interface TailReport {
  readonly state: TailState | undefined;
  /** Where damage begins; undefined where every line is whole. */
  readonly brokenAt: number | undefined;
}

/** What is known before the end of a log is verified. */
export interface TailOptions {
  readonly known: TailState | undefined;
  readonly firstSum: string;
  /** The file of a session that is not sealed: a sealed line in it is refused, so that nothing readable follows it. */
  readonly plainFile?: string | undefined;
}

/**
 * Verifies the end of a log: from a known state on, or back over the last 1 MiB. A line whose bytes
 * fit its sum needs no parsing. A line that is whole JSON but has another sum was changed by someone,
 * not torn by a crash: it stays, and `verify` tells of it.
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
  for (const line of linesForward(fd, { from, end: size })) {
    const sum = line.complete && !line.tooLong ? sumOf(line.bytes) : undefined;
    const id = idOf(line.bytes);
    if (sum === undefined || id === undefined) return { state, brokenAt: line.offset };
    const previous = state?.lastSum ?? (line.offset === 0 ? firstSum : undefined);
    const verified = previous !== undefined && expectedSum(line.bytes, previous) === sum;
    if (!verified && decodeLine(line.bytes) === undefined) return { state, brokenAt: line.offset };
    if (plainFile !== undefined && isSealedLine(line.bytes)) throw unsealedHeader(plainFile);
    state = {
      size: line.offset + line.length,
      lastId: Math.max(id, state?.lastId ?? 0),
      lastSum: sum,
      metaAt: metaAtOf(line.bytes) ?? state?.metaAt,
    };
  }
  return { state, brokenAt: undefined };
}

/** Where a log stands if it is cut at an offset; undefined where no whole line of ours ends there. */
export function stateAt(fd: number, offset: number): TailState | undefined {
  if (offset < 1 || offset > fstatSync(fd).size) return undefined;
  for (const line of linesBackward(fd, { end: offset })) {
    const sum = line.complete ? sumOf(line.bytes) : undefined;
    const id = idOf(line.bytes);
    if (sum === undefined || id === undefined) return undefined;
    return { size: offset, lastId: id, lastSum: sum, metaAt: metaAtOf(line.bytes) };
  }
  return undefined;
}
