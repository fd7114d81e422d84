import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { readFile } from "../session-file.ts";
import { readLast } from "./read/read-last.ts";
import { readOn } from "./read/read-on.ts";
import { readWhole } from "./read/read-whole.ts";

/** A session's events: what the program would replay, or with `allBranches` everything it wrote. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  return readFile(ref, options, (fd) => {
    if (options.from !== undefined) return readOn({ fd, ref }, options.from, options);
    if (options.last !== undefined) return readLast({ fd, ref }, options.last, options);
    return readWhole({ fd, ref }, options);
  });
}
