import { linesBackward } from "../jsonl/read-backward.ts";
import type { Damage } from "../model/damage.ts";
import type { EventId, SessionEvent } from "../model/event.ts";
import { findEvent } from "./find.ts";
import { decodeLine, idOf } from "./line.ts";

/** A file of a lineage, as far as it counts: the tip to its end, a base to the event forked at. */
export interface Segment {
  readonly fd: number;
  readonly firstId: EventId;
  readonly endOffset: number;
}

/** An event on the way to the root, or damage met there. */
export type Step =
  | { readonly kind: "event"; readonly event: SessionEvent }
  | { readonly kind: "damage"; readonly damage: Damage };

/** Parents further away than this are looked up instead of walked to. */
const nearby = 256;

/**
 * Walks from an event (or the last one) to the root, reading backwards and parsing only what is on the
 * path. Ids fall with every step, so a cycle cannot hold it. Where a parent is missing or unreadable the
 * nearest earlier event takes its place, and the damage is told (P2).
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
    const place = { offset: line.offset, length: line.length, recovered: 0 };
    const id = idOf(line.bytes);
    if (id === undefined) {
      yield { kind: "damage", damage: { kind: "bad_json", ...place } };
      continue;
    }
    if (wanted !== undefined && id > wanted) {
      if (id - wanted <= nearby) continue;
      const found = findEvent(segment.fd, wanted, line.offset);
      if (found !== undefined) return { wanted, end: found.endOffset };
      continue;
    }
    if (wanted !== undefined && id < wanted) {
      yield {
        kind: "damage",
        damage: { kind: "missing_parent", ...place, detail: `event ${wanted}` },
      };
    }
    const event = decodeLine(line.bytes);
    if (event === undefined) {
      yield { kind: "damage", damage: { kind: "bad_json", ...place } };
      wanted = id - 1;
      continue;
    }
    yield { kind: "event", event };
    const parent = event.parent ?? 0;
    if (parent >= id) yield { kind: "damage", damage: { kind: "cycle", ...place } };
    wanted = parent >= id ? id - 1 : parent;
    if (wanted < segment.firstId) return { wanted, end: undefined };
  }
  return { wanted, end: undefined };
}
