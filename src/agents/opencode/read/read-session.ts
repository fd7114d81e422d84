import type { Batches } from "../../batches.ts";
import type { AgentEvent, ReadBatch } from "../../contract.ts";
import { encodeCursor, eventHash, type Position } from "./cursor.ts";
import { type Begin, eventsOf, isWanted, type OpenSession } from "./open-session.ts";
import { addStamps, shapeDamage } from "./source.ts";

/** Reads a session from a place to its end, in the order of the rows. */
export function* readSession(
  session: OpenSession,
  begin: Begin,
  batches: Batches,
): Generator<ReadBatch> {
  const { source, own, liveKey, ownHash } = session;
  let { before, last, lastLive } = begin;
  const tell = (event: AgentEvent): void => {
    const parent = event.live ? lastLive : last;
    if (isWanted(session, event)) {
      batches.event(parent === undefined ? event : { ...event, parent });
    }
    last = event.number;
    if (event.live) lastLive = event.number;
  };
  const cursorAt = (place: Pick<Position, "index" | "before" | "told">): string =>
    encodeCursor({
      ...place,
      liveKey,
      ownHash,
      ...(last !== undefined && { last }),
      ...(lastLive !== undefined && { lastLive }),
    });
  // The session's own events stand beside the conversation, not before it.
  for (const event of own.slice(own.length - begin.own)) batches.event(event);
  let place: Pick<Position, "index" | "before" | "told"> = begin;
  for (let index = begin.index; index < source.count; index += 1) {
    const message = source.message(index);
    if (message === undefined) continue;
    for (const damage of message.damage) batches.damage(damage);
    // A message whose own data is lost was reported already; its shape would only say it again.
    if (message.damage.length === 0) {
      for (const damage of shapeDamage(message.native, index + 1)) batches.damage(damage);
    }
    const { events, unknown } = eventsOf(session, message, index);
    for (const [type, count] of Object.entries(unknown)) batches.unknown.add(type, count);
    const skipped = index === begin.index ? begin.told.length : 0;
    for (const event of events.slice(skipped)) tell(event);
    batches.read(message.bytes);
    const isLast = index === source.count - 1;
    place = { index, before, told: batches.isFull || isLast ? events.map(eventHash) : [] };
    before = addStamps(before, message.stamp);
    if (batches.isFull && !isLast) yield batches.take(cursorAt(place));
  }
  yield batches.last(cursorAt(place));
}
