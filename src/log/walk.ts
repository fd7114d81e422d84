import type { Line } from "../jsonl/line.ts";
import { linesBackward } from "../jsonl/read-backward.ts";
import type { Damage } from "../model/damage.ts";
import type { EventId, SessionEvent } from "../model/event.ts";
import { findEvent } from "./find.ts";
import { decodeLine, idOf } from "./line.ts";
import { itemsOf } from "./read.ts";
import { isOutOfOrder } from "./strays.ts";

/** A file of a lineage, as far as it counts: the tip to its end, a base to the event forked at. */
export interface Segment {
  readonly fd: number;
  readonly firstId: EventId;
  readonly endOffset: number;
}

/** An event on the way to the root, or damage met there. */
export type Step =
  | {
      readonly kind: "event";
      readonly event: SessionEvent;
      /** Where its line begins, for one in a file. */
      readonly offset?: number;
    }
  | { readonly kind: "damage"; readonly damage: Damage };

/** Parents further away than this are looked up instead of walked to. */
const nearby = 256;

/**
 * Walks from an event (or the last one) to the root, reading backwards and parsing only what is on the
 * path. Ids fall with every step, so a cycle cannot hold it. Where a parent is missing or unreadable the
 * nearest earlier event takes its place, and the damage is reported (P2).
 */
export function* walkBack(segments: readonly Segment[], from?: EventId): Generator<Step> {
  let wanted = from;
  for (const segment of segments) {
    if (wanted !== undefined && wanted < segment.firstId) continue;
    let end: number | undefined = segment.endOffset;
    while (end !== undefined) {
      const next: { wanted: EventId | undefined; end: number | undefined } = yield* walkSegment(
        segment,
        {
          end,
          wanted,
        },
      );
      wanted = next.wanted;
      end = next.end;
    }
    if (wanted === 0) return;
  }
}

/** Walks one file; ends with the number wanted next, and where to go on if it lies far back in the same file. */
function* walkSegment(
  segment: Segment,
  start: { readonly end: number; readonly wanted: EventId | undefined },
): Generator<Step, { wanted: EventId | undefined; end: number | undefined }> {
  let { wanted } = start;
  for (const line of linesBackward(segment.fd, { end: start.end })) {
    if (!line.complete) continue;
    const id = idOf(line.bytes);
    const isAmiss = id !== undefined && (wanted === undefined || id < wanted);
    if (isAmiss && isOutOfOrder(segment.fd, { offset: line.offset, id })) {
      const place = { offset: line.offset, length: line.length, recovered: 0 };
      yield { kind: "damage", damage: { kind: "duplicate_id", ...place, detail: `event ${id}` } };
      continue;
    }
    if (id !== undefined && wanted !== undefined && id > wanted) {
      if (id - wanted <= nearby) continue;
      const found = findEvent(segment.fd, wanted, line.offset);
      if (found !== undefined) return { wanted, end: found.endOffset };
      continue;
    }
    const whole = id === undefined ? undefined : decodeLine(line.bytes);
    // The usual line: whole, and the parent of the one before.
    if (whole !== undefined && (wanted === undefined || whole.id === wanted)) {
      const { parent } = whole;
      if (parent !== undefined && parent >= segment.firstId && parent < whole.id) {
        wanted = parent;
        yield { kind: "event", event: whole, offset: line.offset };
        continue;
      }
    }
    const { events, damages } =
      whole === undefined ? salvaged(line) : { events: [whole], damages: [] };
    for (const damage of damages) yield { kind: "damage", damage };
    for (const event of events) {
      if (wanted !== undefined && event.id > wanted) continue;
      const place = { offset: line.offset, length: line.length, recovered: 0 };
      if (wanted !== undefined && event.id < wanted) {
        const damage: Damage = { kind: "missing_parent", ...place, detail: `event ${wanted}` };
        yield { kind: "damage", damage };
      }
      yield { kind: "event", event, offset: line.offset };
      const parent = event.parent ?? 0;
      const isEarlier = Number.isSafeInteger(parent) && parent >= 0 && parent < event.id;
      if (!isEarlier) yield { kind: "damage", damage: { kind: "cycle", ...place } };
      wanted = isEarlier ? parent : event.id - 1;
      if (wanted < segment.firstId) return { wanted, end: undefined };
    }
    // A line that is lost was reported: the one before it takes its place.
    if (events.length === 0 && id !== undefined) wanted = Math.min(wanted ?? id, id - 1);
  }
  return { wanted, end: undefined };
}

/** What a damaged line still holds, the newest event first. */
function salvaged(line: Line): {
  readonly events: readonly SessionEvent[];
  readonly damages: readonly Damage[];
} {
  const items = [...itemsOf(line)];
  return {
    events: items
      .flatMap((item) => (item.kind === "event" ? [item.event] : []))
      .sort((a, b) => b.id - a.id),
    damages: items.flatMap((item) => (item.kind === "damage" ? [item.damage] : [])),
  };
}
