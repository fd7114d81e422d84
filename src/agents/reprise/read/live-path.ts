import type { SessionEvent } from "../../../model/event.ts";
import type { SessionLog, Shape } from "../../../store/session-log.ts";

/**
 * Tells which events are live, from one scan of the lines' first bytes: rewinds leave spans out, and the
 * newest compaction on the path hides what it does not keep. For what comes after an event only that part is
 * scanned: nothing before it can hide it.
 */
export function livePath(
  log: SessionLog,
  from: number,
): {
  readonly isLive: (id: number) => boolean;
  readonly summary: number | undefined;
} {
  const turns: Shape[] = [];
  for (const { id, parent, type } of from === 0 ? log.shapes() : log.events({ from: from + 1 })) {
    if (type === "rewind" || type === "compaction") turns.unshift({ id, parent, type });
  }
  const gaps: { readonly after: number; readonly before: number }[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  let keepFrom = 0;
  let summary: number | undefined;
  for (const { id, parent = 0, type } of turns) {
    if (id > lowest) continue;
    if (type === "compaction") {
      if (summary === undefined) keepFrom = firstKept(log, id);
      summary ??= id;
      continue;
    }
    if (parent >= id) continue;
    gaps.push({ after: parent, before: id });
    lowest = parent;
  }
  const isLive = (id: number): boolean =>
    id >= keepFrom && !gaps.some(({ after, before }) => id > after && id < before);
  return { isLive, summary };
}

function firstKept(log: SessionLog, compaction: number): number {
  const event = eventAt(log, compaction);
  return event?.type === "compaction" ? keptFrom(event) : compaction;
}

/** The first event a compaction keeps; itself where it keeps none before it. */
export function keptFrom(event: SessionEvent & { readonly type: "compaction" }): number {
  return Math.min(event.keepFrom ?? event.id, event.id);
}

/** The event of an id. */
export function eventAt(log: SessionLog, id: number): SessionEvent | undefined {
  for (const event of log.events({ from: id })) return event.id === id ? event : undefined;
  return undefined;
}
