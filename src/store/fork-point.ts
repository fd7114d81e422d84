import type { Disk } from "../base/disk.ts";
import { readFully } from "../base/read-fully.ts";
import { findEvent } from "../log/find.ts";
import { sumOf } from "../log/line.ts";
import type { EventId, ForkBase } from "../model/event.ts";
import { checkDepth, type LineageSegment } from "./lineage.ts";

/** What a fork at an event of a lineage must name; undefined if there is no such event. It is durable afterwards. */
export function forkPoint(
  segments: readonly LineageSegment[],
  { event, disk }: { readonly event: EventId; readonly disk: Disk },
): ForkBase | undefined {
  const index = segments.findIndex(({ firstId }) => event >= firstId);
  const segment = segments[index];
  if (segment === undefined) return undefined;
  checkDepth(segments.length - index);
  const place = findEvent(segment.fd, event, segment.endOffset);
  if (place === undefined) return undefined;
  // A fork must never stand on what a power cut could still take from its base.
  disk.syncNow(segment.fd);
  const length = place.endOffset - 1 - place.offset;
  const sum = sumOf(readFully(segment.fd, { from: place.offset, length }));
  if (sum === undefined) return undefined;
  return { session: segment.session, event, endOffset: place.endOffset, sum };
}
