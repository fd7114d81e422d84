import type { ReadBatch, ReadOptions } from "../../contract.ts";
import { batches } from "./batches.ts";
import { buildIndex } from "./build-index.ts";
import { type OpenFile, openSession } from "./open-session.ts";
import { flag } from "./record-flags.ts";
import type { RecordIndex } from "./record-index.ts";
import { walkAll, walkLive } from "./walk.ts";

/** Everything in a transcript, or what is live of it; `restart` says a reader of before to forget what it read. */
export function* readWhole(
  file: OpenFile,
  options: ReadOptions,
  more: { readonly restart?: boolean } = {},
): Generator<ReadBatch> {
  const index = buildIndex(file.fd);
  const session = openSession({ ...file, index }, { read: options });
  const continued = tellOrphans(index);
  index.forgetUuids();
  const steps = options.allBranches ? walkAll(session, { offset: 0, line: 0 }) : walkLive(session);
  yield* batches(session, { steps, options, restart: more.restart ?? false, continued });
}

/**
 * A parent that is nowhere: the program takes the record before it instead, and so do we. The first record has none
 * before it: what it follows lies in another file, or was cut off. Says whether that is so.
 */
function tellOrphans(index: RecordIndex): boolean {
  const first = firstOfConversation(index);
  for (const record of index.orphans) {
    if (record === first) continue;
    const { offset, length } = index.placeOf(record);
    index.tell({ kind: "missing_parent", offset, length, recovered: 1 });
  }
  return index.orphans.includes(first);
}

function firstOfConversation(index: RecordIndex): number {
  let record = 0;
  while (record < index.size && index.has(record, flag.sidechain)) record += 1;
  return record;
}
