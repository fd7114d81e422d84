import { fstatSync } from "node:fs";
import { endOfLine } from "../../jsonl/line-number.ts";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { readFile } from "../session-file.ts";
import { readAll } from "./read/read-all.ts";
import { readLast } from "./read/read-last.ts";
import { readOn } from "./read/read-on.ts";

/** The events of a session: what the program would replay, or with `allBranches` everything that can be read. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  return readFile(ref, options, (fd) => batches(fd, options));
}

function* batches(fd: number, options: ReadOptions): Generator<ReadBatch> {
  const { from, last, allBranches, until } = options;
  const { size } = fstatSync(fd);
  const end = until === undefined ? size : endOfLine(fd, until, size);
  if (from !== undefined) yield* readOn(fd, { from, end, allBranches });
  else if (last !== undefined) yield readLast(fd, { last, end, allBranches });
  else yield* readAll(fd, { end, allBranches });
}
