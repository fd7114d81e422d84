import { closeSync, fstatSync, openSync } from "node:fs";
import { errnoOf } from "../../base/errors.ts";
import { linesForward } from "../../jsonl/read-forward.ts";
import { readLine } from "../../jsonl/records.ts";
import type { Damage } from "../../model/damage.ts";
import type { AgentEvent, ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { Gathered } from "./batch.ts";
import { decodeCursor, encodeCursor, type Place } from "./cursor.ts";
import { EntryReader } from "./entry.ts";
import { indexFile, readHeader } from "./index-file.ts";
import { LineEvents } from "./line-events.ts";
import { markLive } from "./live-path.ts";
import type { Header } from "./path-backward.ts";
import { readLast } from "./read-last.ts";
import { acceptsRecord, badHeader } from "./record.ts";

/**
 * The events of a session. A first pass notes the tree, a second hands out the events in the order of
 * the file: what pi would replay, or with `allBranches` everything that can be read.
 */
export async function* read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  let fd: number;
  try {
    fd = openSync(ref.path, "r");
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    yield { events: [], damage: [{ kind: "missing_file", offset: 0, recovered: 0 }], cursor: "" };
    return;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) {
      yield { events: [], damage: [{ kind: "missing_file", offset: 0, recovered: 0 }], cursor: "" };
    } else if (options.from !== undefined) {
      yield* readOn(fd, { ...options, from: options.from, end: stat.size });
    } else if (options.last !== undefined) {
      const { last, allBranches } = options;
      const start = readHeader(fd, stat.size);
      // Format 1 counts from the beginning, so it is read from there; such files are old and small.
      if (start.linear && start.header !== undefined) {
        yield lastOf(readPart(fd, { allBranches, end: stat.size }), last);
      } else yield readLast(fd, { last, allBranches, end: stat.size, header: headerOf(start) });
    } else yield* readPart(fd, { ...options, end: stat.size });
  } finally {
    closeSync(fd);
  }
}

interface PartOptions {
  readonly end: number;
  readonly allBranches?: boolean | undefined;
  readonly place?: Place | undefined;
  readonly restart?: boolean;
  /** Parse every line in the first pass. */
  readonly exact?: boolean;
}

/** Goes on from a cursor; from the beginning where the file, or what is live in it, is another. */
function* readOn(
  fd: number,
  options: ReadOptions & { readonly from: string; readonly end: number },
): Generator<ReadBatch> {
  const { end, allBranches } = options;
  const place = decodeCursor(fd, options.from);
  if (place?.aheadOf === end || (place !== undefined && place.offset === end)) {
    yield { events: [], damage: [], cursor: options.from };
    return;
  }
  const again = place === undefined || place.offset > end || place.aheadOf !== undefined;
  if (again) yield* readPart(fd, { end, allBranches, restart: true });
  else yield* readPart(fd, { end, allBranches, place });
}

/** Reads [place, end) of a file. */
function* readPart(fd: number, options: PartOptions): Generator<ReadBatch> {
  const { end, place, allBranches = false, exact = false } = options;
  const { index, count, reader } = indexFile(fd, { from: place, end, exact });
  const { leaf, continues } = markLive(index, { count, tip: place?.tip });
  if (!continues && !allBranches) {
    // Another branch, or a compaction: some of what was handed out before is no longer live.
    yield* readPart(fd, { end, allBranches, restart: true });
    return;
  }
  const gathered = new Gathered({ restart: options.restart ?? false });
  const sound = reader.sound === true;
  const fromStart = place === undefined || place.offset === 0;
  if (!sound && fromStart && end > 0) gathered.add({ damage: badHeader });
  const tip = leaf < 0 ? place?.tip : index.tipOf(leaf);
  const events = new LineEvents(index, {
    count,
    sound,
    headerSeen: !fromStart && reader.header !== undefined,
    allBranches,
    gathered,
  });
  // Only counts what the cursor needs; the places of the entries are known.
  const counter = new EntryReader({ count: place?.count ?? 0, previous: place?.previous });
  if (!fromStart) counter.header = reader.header;
  let { offset, line: lines } = place ?? { offset: 0, line: 0 };
  let aheadOf: number | undefined;
  let handedOut = false;
  const cursor = (): string => {
    const { count: parsed, previous } = counter;
    const last = events.last ?? place?.last;
    const rest = { count: parsed, previous, ...(last && { last }), tip, aheadOf };
    return encodeCursor(fd, { offset, line: lines, ...rest });
  };
  let number = lines;
  for (const line of linesForward(fd, { from: offset, end })) {
    number += 1;
    // A linear file is counted record by record; in a tree only what is handed out is parsed.
    const found =
      reader.linear || events.needs(line.offset)
        ? readLine(line, number, acceptsRecord)
        : undefined;
    if (found !== undefined && events.isMistaken(found)) {
      // A damaged line that looked whole: what is live must be found again, and nothing guessed.
      const again = handedOut ? { end, allBranches, restart: true } : options;
      yield* readPart(fd, { ...again, exact: true });
      return;
    }
    if (found === undefined) events.pass(line.offset);
    else {
      if (reader.linear) counter.entriesOf(found);
      events.write(found);
    }
    if (line.complete) {
      offset = line.offset + line.length;
      lines = number;
    } else if (found !== undefined && found.records.length > 0) aheadOf = end;
    if (gathered.isFull(line.length)) {
      handedOut = true;
      yield gathered.take(cursor());
    }
  }
  yield gathered.take(cursor());
}

function headerOf(start: EntryReader): Header {
  return { record: start.header, offset: start.headerOffset, sound: start.sound === true };
}

/** The last events of many batches, in one. */
function lastOf(batches: Iterable<ReadBatch>, last: number): ReadBatch {
  let events: AgentEvent[] = [];
  const damage: Damage[] = [];
  let cursor = "";
  for (const batch of batches) {
    events = [...events, ...batch.events].slice(-last);
    damage.push(...batch.damage);
    cursor = batch.cursor;
  }
  return { events: last > 0 ? events : [], damage, cursor };
}
