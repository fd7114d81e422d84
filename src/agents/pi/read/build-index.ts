import { hashText } from "../../../base/hash.ts";
import type { JsonObject } from "../../../base/json.ts";
import { type RecordLine, recordsForward } from "../../../jsonl/records.ts";
import { acceptsRecord, isSystemMessage } from "../record-types.ts";
import { bodiesOf } from "./bodies.ts";
import type { Place } from "./cursor.ts";
import { EntryIndex, flag, type KeyHash } from "./entry-index.ts";
import { type Entry, EntryLinks, isVisible } from "./entry-links.ts";

/** The tree of a part of a file. */
export interface IndexedPart {
  readonly index: EntryIndex;
  /** How many entries lie in the part; what comes after them in the index lies before the part. */
  readonly count: number;
  readonly links: EntryLinks;
}

/** First pass: notes where every entry of [from, end) hangs, and finds parents that lie before. */
export function buildIndex(
  fd: number,
  options: {
    readonly from?: Place | undefined;
    readonly end: number;
  },
): IndexedPart {
  const { from, end } = options;
  const index = new EntryIndex();
  const links = new EntryLinks(
    from === undefined ? {} : { count: from.count, previous: from.previous },
  );
  if (from !== undefined) {
    const start = readHeader(fd, from.offset);
    links.header = start.header;
    links.sound = start.sound;
  }
  const firstLine = (from?.line ?? 0) + 1;
  const part = { from: from?.offset ?? 0, end, firstLine, accepts: acceptsRecord };
  for (const line of recordsForward(fd, part)) addLine(index, line, links);
  const count = index.size;
  if (from !== undefined) addOutside(fd, index, { from, count });
  return { index, count, links };
}

function addLine(index: EntryIndex, line: RecordLine, links: EntryLinks): void {
  const flags =
    (isVisible(line) ? flag.visible : 0) | (line.damage === undefined ? 0 : flag.damaged);
  links.entriesOf(line).forEach((entry, at) => {
    if (entry === undefined) return;
    const place = { line: line.line, offset: line.offset };
    index.add({ ...hashed(entry), ...place, flags: flags | kindOf(line.records[at]!) });
  });
}

/** What kind of entry a record is, where that changes what is replayed. */
function kindOf(record: JsonObject): number {
  if (record["type"] === "compaction") return flag.compaction;
  if (record["type"] === "context_edit") return flag.edit;
  return isSystemMessage(record) ? flag.system : 0;
}

function hashed(entry: Pick<Entry, "key" | "parent" | "kept" | "target">): {
  readonly key?: KeyHash | undefined;
  readonly parent?: KeyHash | undefined;
  readonly kept?: KeyHash | undefined;
  readonly target?: KeyHash | undefined;
} {
  return {
    key: entry.key === undefined ? undefined : hashText(entry.key),
    parent: entry.parent === undefined ? undefined : hashText(entry.parent),
    kept: entry.kept === undefined ? undefined : hashText(entry.kept),
    target: entry.target === undefined ? undefined : hashText(entry.target),
  };
}

/** Reads up to the header: it decides how entries are linked, wherever reading begins. */
export function readHeader(fd: number, end: number): EntryLinks {
  const start = new EntryLinks();
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
  const links = new EntryLinks();
  for (const line of recordsForward(fd, { end: part.from.offset, accepts: acceptsRecord })) {
    let events = 0;
    links.entriesOf(line).forEach((entry, at) => {
      events += bodiesOf(line.records[at]!, { message: "" }).bodies.length;
      if (entry?.key === undefined) return;
      const key = hashText(entry.key);
      const visible = entry.visible ? flag.visible : 0;
      if (index.isWanted(key) || index.has(index.find(key), flag.outside)) {
        const place = { line: line.line, offset: line.offset };
        index.add({ key, ...place, lastEvent: events, flags: flag.outside | visible });
      }
    });
  }
}
