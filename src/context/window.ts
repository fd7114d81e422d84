import type { CompactionEvent, EventFrame, SessionEvent } from "../model/event.ts";
import type { Remarks } from "./remarks.ts";

/** The part of a path that a model sees: what opens the session, a summary, and the events after it. */
export interface Window {
  readonly opening: readonly SessionEvent[];
  readonly compaction?: EventFrame & CompactionEvent;
  readonly events: readonly SessionEvent[];
}

/** Applies the newest compaction on the path; system events that open the session outlive it. */
export function windowOf(path: readonly SessionEvent[], remarks: Remarks): Window {
  const at = path.findLastIndex((event) => event.type === "compaction");
  const compaction = path[at];
  if (compaction?.type !== "compaction") return { opening: [], events: path };
  const keepAt = keepIndex(path, { at, keepFrom: compaction.keepFrom, remarks });
  const openingEnd = Math.min(openingLength(path), keepAt);
  const opening = path.slice(0, openingEnd).filter((event) => event.type === "system");
  for (let index = openingEnd; index < keepAt; index += 1) {
    if (path[index]!.type !== "session_start") remarks.add("compacted", path[index]!.id);
  }
  const kept: SessionEvent[] = path.slice(keepAt, at).filter((event) => {
    // The newest summary covers what an older one said.
    if (event.type === "compaction") remarks.add("compacted", event.id);
    return event.type !== "compaction";
  });
  return { opening, compaction, events: kept.concat(path.slice(at + 1)) };
}

/** How many events at the start of a path are its header and the instructions right behind it. */
export function openingLength(path: readonly SessionEvent[]): number {
  const first = path.findIndex(
    (event) => event.type !== "session_start" && event.type !== "system",
  );
  return first < 0 ? path.length : first;
}

function keepIndex(
  path: readonly SessionEvent[],
  options: {
    readonly at: number;
    readonly keepFrom: number | undefined;
    readonly remarks: Remarks;
  },
): number {
  const { at, keepFrom, remarks } = options;
  if (keepFrom === undefined) return at;
  let next = at;
  for (let index = at - 1; index >= 0; index -= 1) {
    const id = path[index]!.id;
    if (id === keepFrom) return index;
    if (id > keepFrom) next = index;
  }
  if (keepFrom !== path[at]!.id) remarks.add("missing_keep_from", keepFrom);
  return next;
}
