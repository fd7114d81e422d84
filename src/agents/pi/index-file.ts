import { linesForward } from "../../jsonl/read-forward.ts";
import { type RecordLine, readLine, recordsForward } from "../../jsonl/records.ts";
import { bodiesOf } from "./bodies.ts";
import type { Place } from "./cursor.ts";
import { type Entry, EntryReader, isVisible } from "./entry.ts";
import { EntryIndex, flag, hashKey, type KeyHash } from "./entry-index.ts";
import { glance } from "./glance.ts";
import { acceptsRecord } from "./record.ts";

/** The tree of a part of a file. */
export interface IndexedFile {
  readonly index: EntryIndex;
  /** How many entries lie in the part; what comes after them in the index lies before the part. */
  readonly count: number;
  readonly reader: EntryReader;
}

/**
 * First pass: notes where every entry of [from, end) hangs, and finds parents that lie before. Most
 * lines are only glanced at; with `exact` every line is parsed.
 */
export function indexFile(
  fd: number,
  options: {
    readonly from?: Place | undefined;
    readonly end: number;
    readonly exact: boolean;
  },
): IndexedFile {
  const { from, end, exact } = options;
  const index = new EntryIndex();
  const reader = new EntryReader(
    from === undefined ? {} : { count: from.count, previous: from.previous },
  );
  if (from !== undefined) {
    const start = readHeader(fd, from.offset);
    reader.header = start.header;
    reader.sound = start.sound;
  }
  let number = from?.line ?? 0;
  for (const line of linesForward(fd, { from: from?.offset ?? 0, end })) {
    number += 1;
    const seen = exact || reader.linear ? undefined : glance(line);
    if (seen !== undefined) {
      reader.sound ??= false;
      const { offset } = line;
      index.add({ ...hashed(seen), line: number, offset, flags: flag.visible });
      continue;
    }
    const read = readLine(line, number, acceptsRecord);
    if (read !== undefined) addLine(index, read, reader);
  }
  const count = index.size;
  if (from !== undefined) addOutside(fd, index, { from, count });
  return { index, count, reader };
}

function addLine(index: EntryIndex, line: RecordLine, reader: EntryReader): void {
  const flags =
    (isVisible(line) ? flag.visible : 0) | (line.damage === undefined ? 0 : flag.damaged);
  reader.entriesOf(line).forEach((entry, at) => {
    if (entry === undefined) return;
    const compaction = line.records[at]!["type"] === "compaction" ? flag.compaction : 0;
    const place = { line: line.line, offset: line.offset };
    index.add({ ...hashed(entry), ...place, flags: flags | compaction });
  });
}

function hashed(entry: Pick<Entry, "key" | "parent" | "kept">): {
  readonly key?: KeyHash | undefined;
  readonly parent?: KeyHash | undefined;
  readonly kept?: KeyHash | undefined;
} {
  return {
    key: entry.key === undefined ? undefined : hashKey(entry.key),
    parent: entry.parent === undefined ? undefined : hashKey(entry.parent),
    kept: entry.kept === undefined ? undefined : hashKey(entry.kept),
  };
}

/** Reads up to the header: it decides how entries are linked, wherever reading begins. */
export function readHeader(fd: number, end: number): EntryReader {
  const start = new EntryReader();
  for (const line of recordsForward(fd, { end, accepts: acceptsRecord })) {
    start.entriesOf(line);
    if (start.header !== undefined) break;
  }
  return start;
}

/** Finds the parents that lie before the part: mostly the last entry there, otherwise by looking. */
function addOutside(
  fd: number,
  index: EntryIndex,
  part: { readonly from: Place; readonly count: number },
): void {
  const flags = flag.visible | flag.outside;
  const { last } = part.from;
  if (last !== undefined) index.add({ ...last, flags });
  let missing = false;
  for (let at = 0; at < part.count && !missing; at += 1) {
    missing = index.isOrphan(at) || index.isKeptUnknown(at);
  }
  if (!missing) return;
  const reader = new EntryReader();
  for (const line of recordsForward(fd, { end: part.from.offset, accepts: acceptsRecord })) {
    let events = 0;
    reader.entriesOf(line).forEach((entry, at) => {
      events += bodiesOf(line.records[at]!, { message: "" }).bodies.length;
      if (entry?.key === undefined) return;
      const key = hashKey(entry.key);
      const visible = entry.visible ? flag.visible : 0;
      if (index.isWanted(key) || index.has(index.find(key), flag.outside)) {
        const place = { line: line.line, offset: line.offset };
        index.add({ key, ...place, lastEvent: events, flags: flag.outside | visible });
      }
    });
  }
}
