import { closeSync, readSync } from "node:fs";
import { fileStat } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { openForReading } from "../../base/open-file.ts";
import { newline } from "../../jsonl/line.ts";
import { runId, startedIn, startMark } from "./start-line.ts";

/** One run of the program within a history file. */
export interface Run {
  /** From 1 in the order of the file; 0 is what stands before the first start line. */
  readonly ordinal: number;
  readonly session: string;
  readonly offset: number;
  readonly end: number;
  /** The local time of its start line; absent for run 0. */
  readonly started?: string;
}

interface Known {
  readonly size: number;
  readonly modifiedMs: number;
  readonly runs: readonly Run[];
}

/** Runs by file: a list asks for every run of a file, and the file is looked through once. */
const known = new Map<string, Known>();
const filesKnown = 256;

/** The runs of a history file; it is read once as long as it does not change, and never held. */
export function runsOf(path: string): readonly Run[] {
  const stat = fileStat(path);
  if (stat === undefined) return [];
  const { sizeBytes: size, modifiedMs } = stat;
  const before = known.get(path);
  if (before?.size === size && before.modifiedMs === modifiedMs) return before.runs;
  const runs = findRuns(path, size);
  known.delete(path);
  known.set(path, { size, modifiedMs, runs });
  for (const oldest of known.keys()) {
    if (known.size <= filesKnown) break;
    known.delete(oldest);
  }
  return runs;
}

interface Start {
  readonly offset: number;
  readonly started: string;
}

function findRuns(path: string, size: number): readonly Run[] {
  const fd = openForReading(path);
  try {
    const starts = findStarts(fd, size);
    const first = starts[0]?.offset ?? size;
    const runs: Run[] = [];
    const session = runId(path, "", 0);
    if (hasText(fd, first)) runs.push({ ordinal: 0, session, offset: 0, end: first });
    const twins = new Map<string, number>();
    for (const [index, { offset, started }] of starts.entries()) {
      const twin = twins.get(started) ?? 0;
      twins.set(started, twin + 1);
      const end = starts[index + 1]?.offset ?? size;
      runs.push({ ordinal: index + 1, session: runId(path, started, twin), offset, end, started });
    }
    return runs;
  } finally {
    closeSync(fd);
  }
}

/** Where start lines stand; a byte search, nothing is decoded. */
function findStarts(fd: number, size: number): readonly Start[] {
  const mark = Buffer.from(startMark);
  const lineBytes = mark.length + 64;
  const buffer = Buffer.allocUnsafe(limits.chunkBytes * 4);
  const starts: Start[] = [];
  let position = 0;
  while (position < size && starts.length < limits.directoryEntries) {
    const taken = readSync(fd, buffer, 0, buffer.length, position);
    if (taken === 0) break;
    const held = buffer.subarray(0, taken);
    const isLast = position + taken >= size;
    // What may be the beginning of a start line at the chunk's end is looked at again with the next chunk.
    const sure = isLast ? taken : taken - lineBytes;
    for (let at = held.indexOf(mark); at >= 0 && at < sure; at = held.indexOf(mark, at + 1)) {
      if (!beginsLine(fd, held, at, position)) continue;
      const stop = held.indexOf(newline, at);
      const line = held.toString("latin1", at, stop < 0 ? Math.min(taken, at + lineBytes) : stop);
      const started = startedIn(line);
      if (started !== undefined) starts.push({ offset: position + at, started });
    }
    position += isLast ? taken : Math.max(1, sure);
  }
  return starts;
}

function beginsLine(fd: number, held: Buffer, at: number, position: number): boolean {
  if (at > 0) {
    const isMark = position === 0 && at === 3 && held[0] === 0xef && held[1] === 0xbb;
    return held[at - 1] === newline || isMark;
  }
  if (position === 0) return true;
  const before = Buffer.alloc(1);
  return readSync(fd, before, 0, 1, position - 1) === 1 && before[0] === newline;
}

function hasText(fd: number, end: number): boolean {
  const buffer = Buffer.alloc(Math.min(end, limits.headBytes));
  const taken = readSync(fd, buffer, 0, buffer.length, 0);
  return (
    end > limits.headBytes || buffer.toString("utf8", 0, taken).replace("\ufeff", "").trim() !== ""
  );
}
