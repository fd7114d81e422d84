import { fstatSync } from "node:fs";
import { endOfLine } from "../../jsonl/line-number.ts";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { readDocument } from "../document.ts";
import { pageParts } from "../note-parts.ts";
import { readFile } from "../session-file.ts";
import { isPlan } from "./plan.ts";
import { newestCut } from "./read/live-path.ts";
import { readLast } from "./read/read-last.ts";
import { readOn } from "./read/read-on.ts";
import { readPart } from "./read/read-part.ts";

/** The events of a session: what the program would replay, or with `allBranches` everything that can be read; the parts of a plan. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  if (isPlan(ref))
    return readDocument(ref, options, (plan) => ({ parts: pageParts(ref.agent, plan) }));
  return readFile(ref, options, (fd) => batches(fd, options));
}

function* batches(fd: number, options: ReadOptions): Generator<ReadBatch> {
  const { from, last, allBranches, until } = options;
  const { size } = fstatSync(fd);
  const end = until === undefined ? size : endOfLine(fd, until, size);
  if (from !== undefined) yield* readOn(fd, { from, end, allBranches });
  else if (last !== undefined) yield readLast(fd, { last, end, allBranches });
  else {
    const liveFrom = newestCut(fd, { from: 0, end }) ?? 0;
    yield* readPart(fd, { end, allBranches, liveFrom });
  }
}
