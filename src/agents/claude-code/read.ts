import { closeSync, openSync, statSync } from "node:fs";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { midway } from "./read/cursor.ts";
import { readLast } from "./read/read-last.ts";
import { readOn } from "./read/read-on.ts";
import { readWhole } from "./read/read-whole.ts";

/** A session's events: what the program would replay, or with `allBranches` everything it wrote. */
export async function* read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  const fd = openFile(ref.path);
  if (fd === undefined) {
    const damage = [{ kind: "missing_file" as const, offset: 0, recovered: 0 }];
    yield { events: [], damage, cursor: midway };
    return;
  }
  try {
    if (options.from !== undefined) yield* readOn({ fd, ref }, options.from, options);
    else if (options.last !== undefined) yield* readLast({ fd, ref }, options.last, options);
    else yield* readWhole({ fd, ref }, options);
  } finally {
    closeSync(fd);
  }
}

/** Opens a file, and only a file: a pipe would wait for a writer forever. */
function openFile(path: string): number | undefined {
  try {
    return statSync(path).isFile() ? openSync(path, "r") : undefined;
  } catch {
    return undefined;
  }
}
