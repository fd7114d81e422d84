import { linesBackward } from "../jsonl/read-backward.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import { findEvent } from "../log/find.ts";
import { prefixOf } from "../log/line.ts";
import { itemsOf, type LogItem, readLog } from "../log/read.ts";
import type { Segment } from "../log/walk.ts";
import type { EventId } from "../model/event.ts";
import type { Shape } from "./session-log.ts";

/** The items of a file from an event on, in order. */
export function* itemsForward(segment: Segment, from: EventId | undefined): Generator<LogItem> {
  const place =
    from === undefined || from <= segment.firstId
      ? undefined
      : findEvent(segment.fd, from, segment.endOffset);
  const span = { from: place?.offset ?? 0, end: segment.endOffset };
  for (const item of readLog(segment.fd, span)) {
    if (item.kind !== "event" || from === undefined || item.event.id >= from) yield item;
  }
}

/** The items of a file from an event back to its first, newest first. */
export function* itemsBackward(segment: Segment, from: EventId | undefined): Generator<LogItem> {
  if (from !== undefined && from < segment.firstId) return;
  const place = from === undefined ? undefined : findEvent(segment.fd, from, segment.endOffset);
  for (const line of linesBackward(segment.fd, { end: place?.endOffset ?? segment.endOffset })) {
    yield* [...itemsOf(line)].reverse();
  }
}

/** Reads the first bytes of each line only: a tree of any size costs a scan, not a parse. */
export function* shapesOf(segment: Segment): Generator<Shape> {
  for (const line of linesForward(segment.fd, { end: segment.endOffset })) {
    if (!line.complete) continue;
    const shape = prefixOf(line.bytes);
    if (shape !== undefined) {
      yield shape;
      continue;
    }
    for (const item of itemsOf(line)) if (item.kind === "event") yield item.event as Shape;
  }
}
