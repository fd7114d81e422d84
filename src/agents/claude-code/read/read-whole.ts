import type { ReadBatch, ReadOptions } from "../../contract.ts";
import { batches } from "./batches.ts";
import { buildIndex } from "./build-index.ts";
import { type OpenFile, openSession } from "./open-session.ts";
import type { RecordIndex } from "./record-index.ts";
import { walkAll, walkLive } from "./walk.ts";

/** Everything in a transcript, or what is live of it; `restart` tells a reader of before to forget what it read. */
export function* readWhole(
  file: OpenFile,
  options: ReadOptions,
  more: { readonly restart?: boolean } = {},
): Generator<ReadBatch> {
  const index = buildIndex(file.fd);
  const session = openSession({ ...file, index }, { read: options });
  tellOrphans(index);
  index.forgetUuids();
  const steps = options.allBranches ? walkAll(session, { offset: 0, line: 0 }) : walkLive(session);
  yield* batches(session, { steps, options, restart: more.restart ?? false });
}

/** A parent that is nowhere: the program takes the record before it instead, and so do we. */
function tellOrphans(index: RecordIndex): void {
  for (const record of index.orphans) {
    const { offset, length } = index.placeOf(record);
    index.tell({ kind: "missing_parent", offset, length, recovered: 1 });
  }
}
