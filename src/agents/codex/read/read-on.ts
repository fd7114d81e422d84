import { proofBefore } from "../../../jsonl/proof.ts";
import type { Cursor, ReadBatch, SessionRef } from "../../contract.ts";
import { plainPath } from "../rollout-files.ts";
import { batchOf } from "./batches.ts";
import type { CursorState } from "./cursor.ts";
import { eventMaker } from "./events.ts";
import { type Span, suffixOf } from "./lineage.ts";
import { openRollout } from "./open-rollout.ts";
import { everythingLive, walk } from "./walk.ts";

/** Reads what came after a cursor; returns false if the session has to be read from the start. */
export async function* readOn(
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
    const session = { spans, path: cursor, allBranches: cursor.allBranches };
    const maker = eventMaker(cursor.state);
    const how = {
      from: cursor,
      path: everythingLive,
      allBranches: true,
      maker,
    };
    for (const batch of walk(spans, how)) {
      if (maker.late || maker.rewrote) return false;
      yield batchOf(session, { ...batch, maker });
    }
    return true;
  } finally {
    file.close();
  }
}
