import { linesForward } from "../../../jsonl/read-forward.ts";
import { readLine, recordsForward } from "../../../jsonl/records.ts";
import { Batches } from "../../batches.ts";
import type { ReadBatch } from "../../contract.ts";
import { acceptsRecord, badHeader } from "../record-types.ts";
import { buildIndex } from "./build-index.ts";
import { type ContextEdit, editOf } from "./context-edit.ts";
import { encodeCursor, type Place } from "./cursor.ts";
import { EntryLinks } from "./entry-links.ts";
import { LineEvents } from "./line-events.ts";
import { markLive } from "./live-path.ts";

/** Which part of a file to read, and how. */
export interface PartOptions {
  readonly end: number;
  readonly allBranches?: boolean | undefined;
  /** Where an earlier reading stopped; the beginning if absent. */
  readonly place?: Place | undefined;
  readonly restart?: boolean;
}

/**
 * Reads [place, end) of a file. A first pass notes the tree, a second hands out the events in the order of the
 * file.
 */
export function* readPart(fd: number, options: PartOptions): Generator<ReadBatch> {
  const { end, place, allBranches = false } = options;
  const { index, count, links } = buildIndex(fd, { from: place, end });
  const { leaf, continues, edits, editsBefore } = markLive(index, { count, tip: place?.tip });
  if (editsBefore || (!continues && (!allBranches || place?.edited))) {
    // An edit, another branch, or a compaction: some of what was handed out before is no longer so.
    yield* readPart(fd, { end, allBranches, restart: true });
    return;
  }
  const batches = new Batches({ restart: options.restart ?? false });
  const sound = links.sound === true;
  const fromStart = place === undefined || place.offset === 0;
  if (!sound && fromStart && end > 0) batches.damage(badHeader);
  const tip = leaf < 0 ? place?.tip : index.tipOf(leaf);
  const events = new LineEvents(index, {
    count,
    sound,
    headerSeen: !fromStart && links.header !== undefined,
    allBranches,
    editOf(at) {
      const edit = edits.get(at);
      return edit === undefined ? undefined : editAt(fd, { from: index.offsetOf(edit), end });
    },
    batches,
  });
  // Only counts what the cursor needs; the places of the entries are known.
  const counter = new EntryLinks({ count: place?.count ?? 0, previous: place?.previous });
  if (!fromStart) counter.header = links.header;
  let { offset, line: lines } = place ?? { offset: 0, line: 0 };
  let aheadOf: number | undefined;
  const cursor = (): string => {
    const { count: parsed, previous } = counter;
    const last = events.last ?? place?.last;
    const edited = place?.edited || edits.size > 0;
    const known = { ...(last && { last }), ...(edited && { edited }) };
    const rest = { count: parsed, previous, ...known, tip, aheadOf };
    return encodeCursor(fd, { offset, line: lines, ...rest });
  };
  let number = lines;
  for (const line of linesForward(fd, { from: offset, end })) {
    number += 1;
    // A linear file is counted record by record; in a tree only what is handed out is parsed again.
    const found =
      links.linear || events.needs(line.offset) ? readLine(line, number, acceptsRecord) : undefined;
    if (found === undefined) events.pass(line.offset);
    else {
      if (links.linear) counter.entriesOf(found);
      events.write(found);
    }
    if (line.complete) {
      offset = line.offset + line.length;
      lines = number;
    } else if (found !== undefined && found.records.length > 0) aheadOf = end;
    batches.read(line.length);
    if (batches.isFull) yield batches.take(cursor());
  }
  yield batches.last(cursor());
}

/** The edit that a line makes: it lies after the entry it is about, so it is read ahead. */
function editAt(
  fd: number,
  part: { readonly from: number; readonly end: number },
): ContextEdit | undefined {
  for (const line of recordsForward(fd, { ...part, accepts: acceptsRecord })) {
    return line.records.map(editOf).findLast((edit) => edit !== undefined);
  }
  return undefined;
}
