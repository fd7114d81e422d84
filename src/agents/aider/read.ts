import { fstatSync } from "node:fs";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { readFile } from "../session-file.ts";
import type { Range } from "./read/lines.ts";
import { readLast } from "./read/read-last.ts";
import { readOn } from "./read/read-on.ts";
import { type RangeOptions, readWhole } from "./read/read-whole.ts";
import { runsOf } from "./runs.ts";

/** The events of one run, or of the whole history where the ref names none. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  return readFile(ref, options, (fd) => {
    const range = rangeOf(ref);
    if (range === undefined) return [missing(`run ${ref.part} is not in the file`, options)];
    return readRange(fd, { ...options, session: ref.session, range });
  });
}

function rangeOf(ref: SessionRef): Range | undefined {
  if (ref.part === undefined) return { offset: 0, end: Number.MAX_SAFE_INTEGER };
  const run = runsOf(ref.path).find((one) => `${one.ordinal}` === ref.part);
  return run;
}

function missing(detail: string, options: ReadOptions): ReadBatch {
  const damage = [{ kind: "missing_file", offset: 0, recovered: 0, detail }] as const;
  return { events: [], damage, cursor: options.from ?? "" };
}

function* readRange(fd: number, options: RangeOptions): Generator<ReadBatch> {
  const range = { ...options.range, end: Math.min(options.range.end, fstatSync(fd).size) };
  if (options.last !== undefined) yield readLast(fd, { ...options, range });
  else if (options.from !== undefined) yield* readOn(fd, { ...options, range, from: options.from });
  else yield* readWhole(fd, { ...options, range });
}
