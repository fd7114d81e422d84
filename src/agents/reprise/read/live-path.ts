import type { SessionEvent } from "../../../model/event.ts";
import type { SessionLog, Shape } from "../../../store/session-log.ts";

type Compaction = SessionEvent & { readonly type: "compaction" };

/**
 * Says which events are live, from one scan of the lines' first bytes: rewinds leave spans out, and the
 * newest compaction on the path hides what it does not keep. For what comes after an event only that part is
 * scanned: nothing before it can hide it.
 */
export function livePath(
  log: SessionLog,
  from: number,
): {
  readonly isLive: (id: number) => boolean;
  readonly summary: Compaction | undefined;
} {
  const turns: Shape[] = [];
  for (const { id, parent, type } of from === 0 ? log.shapes() : log.events({ from: from + 1 })) {
    if (type === "rewind" || type === "compaction") turns.push({ id, parent, type });
  }
  turns.reverse();
  const gaps: Gap[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  let keepFrom = 0;
  let summary: Compaction | undefined;
  for (const { id, parent = 0, type } of turns) {
    if (id > lowest) continue;
    if (type === "compaction") {
      if (summary !== undefined) continue;
      // One that cannot be read hides nothing.
      summary = compactionAt(log, id);
      if (summary !== undefined) keepFrom = keptFrom(summary);
      continue;
    }
    if (parent >= id) continue;
    gaps.push({ after: parent, before: id });
    lowest = parent;
  }
  const isLive = (id: number): boolean => id >= keepFrom && !isBetween(gaps, id);
  return { isLive, summary };
}

/** A span that a rewind left out. */
interface Gap {
  readonly after: number;
  readonly before: number;
}

/** Whether an id lies in one of the gaps, which come from the newest to the oldest. */
function isBetween(gaps: readonly Gap[], id: number): boolean {
  let low = 0;
  let high = gaps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (gaps[middle]!.after >= id) low = middle + 1;
    else high = middle;
  }
  return low < gaps.length && id < gaps[low]!.before;
}

/** The first event a compaction keeps; itself where it keeps none before it. */
export function keptFrom(event: Compaction): number {
  return Math.min(event.keepFrom ?? event.id, event.id);
}

function compactionAt(log: SessionLog, id: number): Compaction | undefined {
  for (const event of log.events({ from: id })) {
    return event.id === id && event.type === "compaction" ? event : undefined;
  }
  return undefined;
}
