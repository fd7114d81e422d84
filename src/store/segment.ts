import { linesBackward } from "../jsonl/read-backward.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import { findEvent, offsetBefore } from "../log/find.ts";
import { prefixOf } from "../log/line.ts";
import { itemsOf, type LogItem, readLog, repeated } from "../log/read.ts";
import { StrayFilter } from "../log/strays.ts";
import type { Segment } from "../log/walk.ts";
import type { EventId, SessionEvent } from "../model/event.ts";
import type { Shape } from "./session-log.ts";

/** The items of a file from an event on, in order. */
export function* itemsForward(segment: Segment, from: EventId | undefined): Generator<LogItem> {
  const { fd, firstId, endOffset } = segment;
  if (from === undefined || from <= firstId) {
    yield* readLog(fd, { from: 0, end: endOffset });
    return;
  }
  // Where the event itself is missing, or not there yet, what follows it is looked for.
  const begin = findEvent(fd, from, endOffset)?.offset ?? offsetBefore(fd, from, endOffset);
  for (const item of readLog(fd, { from: begin, end: endOffset })) {
    if (item.kind !== "event" || item.event.id >= from) yield item;
  }
}

/** The files of a lineage, oldest first, without those that end before an event. */
export function segmentsFrom(segments: readonly Segment[], from: EventId = 0): readonly Segment[] {
  return segments
    .filter((_, index) => index === 0 || segments[index - 1]!.firstId > from)
    .toReversed();
}

/** The items of a file from an event back to its first, newest first. */
export function* itemsBackward(segment: Segment, from: EventId | undefined): Generator<LogItem> {
  if (from !== undefined && from < segment.firstId) return;
  const place = from === undefined ? undefined : findEvent(segment.fd, from, segment.endOffset);
  let held: readonly LogItem[] = [];
  for (const line of linesBackward(segment.fd, { end: place?.endOffset ?? segment.endOffset })) {
    const items = [...itemsOf(line)].reverse();
    // The line before says whether a number is repeated.
    const before = firstId(items);
    yield* held.map((item) => passed(item, before));
    held = items;
  }
  yield* held;
}

function firstId(items: readonly LogItem[]): EventId | undefined {
  return items.find((item) => item.kind === "event")?.event.id;
}

function passed(item: LogItem, before: EventId | undefined): LogItem {
  const isRepeated = item.kind === "event" && before !== undefined && before >= item.event.id;
  return isRepeated ? { kind: "damage", damage: repeated(item) } : item;
}

/** Reads the first bytes of each line only: a tree of any size costs a scan, not a parse. */
export function* shapesOf(segment: Segment): Generator<Shape> {
  const strays = new StrayFilter();
  for (const line of linesForward(segment.fd, { end: segment.endOffset })) {
    if (!line.complete) continue;
    const shape = prefixOf(line.bytes);
    if (shape !== undefined) {
      if (!strays.isStray(shape as SessionEvent, line.bytes)) yield shape;
      continue;
    }
    for (const item of itemsOf(line)) if (item.kind === "event") yield item.event as Shape;
  }
}
