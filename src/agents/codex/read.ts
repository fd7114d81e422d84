import { proofBefore } from "../../jsonl/proof.ts";
import type { Cursor, ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { toldUnread } from "../session-file.ts";
import { type CursorState, parseCursor } from "./cursor.ts";
import { lastBatch } from "./last-read.ts";
import { openLineage, type Span, suffixOf } from "./lineage.ts";
import { openRollout } from "./open-rollout.ts";
import { plainPath } from "./rollout-name.ts";
import { everythingLive, stream } from "./stream.ts";
import { translator } from "./translate.ts";
import { batchOf, wholeRead } from "./whole-read.ts";

/**
 * The events of a thread. What was appended since a cursor is read alone; where the file was
 * rewritten, or a compaction, roll-back or new segment changed what is live of the events before,
 * everything is read again and the first batch says `restart`.
 */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  return toldUnread(batches(ref, options), options);
}

async function* batches(ref: SessionRef, options: ReadOptions): AsyncGenerator<ReadBatch> {
  const { allBranches = false, last, from } = options;
  const cursor = parseCursor(from);
  if (last === undefined && cursor?.done && cursor.allBranches === allBranches) {
    const complete = yield* readAppended(ref, { cursor, text: from! });
    if (complete) return;
  }
  const lineage = await openLineage(ref, { allBranches, hold: last === undefined });
  try {
    if (last !== undefined) yield lastBatch(lineage, { allBranches, count: last });
    else
      yield* wholeRead(lineage, {
        allBranches,
        ...(from !== undefined && { resumed: { cursor } }),
      });
  } finally {
    lineage.close();
  }
}

/** Reads what came after a cursor; returns false where the session has to be read from the start. */
async function* readAppended(
  ref: SessionRef,
  from: {
    readonly cursor: CursorState;
    readonly text: Cursor;
  },
): AsyncGenerator<ReadBatch, boolean> {
  const { cursor } = from;
  // Before the first line was whole, nothing was known about the session.
  if (cursor.file !== plainPath(ref.path) || cursor.line === 0) return false;
  const file = await openRollout(ref.path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { fd, sizeBytes } = file;
    if (sizeBytes < cursor.size || proofBefore(fd, cursor.offset) !== cursor.hash) return false;
    if (sizeBytes === cursor.size) {
      yield { events: [], damage: [], cursor: from.text };
      return true;
    }
    const span: Span = {
      path: cursor.file,
      file,
      own: true,
      sameThread: true,
      abandoned: false,
      end: undefined,
      paginated: cursor.paginated,
      suffix: suffixOf(cursor.file),
    };
    // Its place among the session's files is kept for the cursors to come.
    const spans: Span[] = [];
    spans[cursor.span] = span;
    const session = { spans, plan: cursor, allBranches: cursor.allBranches };
    const going = translator(cursor.state);
    const how = {
      from: cursor,
      plan: everythingLive,
      allBranches: true,
      translator: going,
    };
    for (const batch of stream(spans, how)) {
      if (going.late || going.rewrote) return false;
      yield batchOf(session, { ...batch, going });
    }
    return true;
  } finally {
    file.close();
  }
}
