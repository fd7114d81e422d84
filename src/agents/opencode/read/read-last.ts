import { eventHash } from "./cursor.ts";
import { type Begin, eventsOf, firstWanted, isWanted, type OpenSession } from "./open-session.ts";

/** Where the last events begin: walks back until enough are counted; they are then read forward from there. */
export function beginOfLast(count: number, session: OpenSession): Begin {
  const { source } = session;
  const first = firstWanted(session);
  let wanted = Math.max(0, Math.trunc(count));
  let index = source.count;
  let told: readonly string[] = [];
  while (wanted > 0 && index > first) {
    index -= 1;
    const message = source.message(index);
    if (message === undefined) continue;
    const { events } = eventsOf(session, message, index);
    const counted = events.filter((event) => isWanted(session, event));
    const earliest = counted[counted.length - wanted];
    if (earliest !== undefined) told = events.slice(0, events.indexOf(earliest)).map(eventHash);
    wanted -= counted.length;
  }
  const own = Math.min(Math.max(0, wanted), session.own.length);
  return { index, before: source.stamp(index), told, own };
}
