import type { SessionEvent } from "../model/event.ts";
import type { PathRange } from "./contract.ts";
import { noEvent } from "./log-store.ts";
import type { SessionLog } from "./session-log.ts";

/** The path of a log backwards, as far as it is asked for; each event is read when it is taken. */
export function* pathBack(log: SessionLog, range: PathRange = {}): Generator<SessionEvent> {
  const { from, until = 0, onDamage } = range;
  let left = range.limit ?? Number.POSITIVE_INFINITY;
  if (from !== undefined && !log.has(from)) throw noEvent(log.session, from);
  if (left <= 0) return;
  for (const step of log.path(from)) {
    if (step.kind === "damage") {
      onDamage?.(step.damage);
      continue;
    }
    if (step.event.id < until) return;
    yield step.event;
    left -= 1;
    if (left <= 0) return;
  }
}
