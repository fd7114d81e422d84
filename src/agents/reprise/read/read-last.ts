import { limits } from "../../../base/limits.ts";
import type { Damage } from "../../../model/damage.ts";
import type { SessionEvent } from "../../../model/event.ts";
import type { SessionLog } from "../../../store/session-log.ts";
import type { ReadBatch } from "../../contract.ts";
import { ReadingPlace } from "./cursor.ts";
import { agentEvent } from "./events.ts";
import { keptFrom } from "./live-path.ts";

/** The last events, in order, read from the end: the size of the session does not matter. */
export function readLast(
  log: SessionLog,
  { last: count, allBranches }: { readonly last: number; readonly allBranches: boolean },
): ReadBatch {
  const live = new Map<number, SessionEvent>();
  const damage: Damage[] = [];
  let summary: SessionEvent | undefined;
  let keepFrom = 0;
  for (const step of log.path()) {
    if (live.size >= count) break;
    if (step.kind === "damage") {
      if (damage.length < limits.toldDamages) damage.push(step.damage);
      continue;
    }
    const { event } = step;
    if (event.id < keepFrom) break;
    if (summary === undefined && event.type === "compaction") {
      summary = event;
      keepFrom = keptFrom(event);
    } else live.set(event.id, event);
  }
  // A model is given the summary before the events it kept.
  if (summary !== undefined && live.size < count) live.set(summary.id, summary);
  const isLive = (id: number): boolean => live.has(id) || id === summary?.id;
  const events = [...live.values()];
  if (allBranches) {
    events.length = 0;
    for (const event of log.events({ reverse: true })) {
      if (events.length >= count) break;
      events.push(event);
    }
  }
  const shown = events.reverse().map((event) => agentEvent(event, isLive(event.id)));
  const place = new ReadingPlace();
  for (const event of events) place.passed(event);
  return { events: shown, damage, cursor: place.cursor() };
}
