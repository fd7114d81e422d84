import type { Cursor } from "../../contract.ts";
import { decodeCursor, eventHash } from "./cursor.ts";
import { type Begin, eventsOf, type OpenSession } from "./open-session.ts";

/** Where reading goes on after a cursor; undefined where what lies before it is not as it was. */
export function beginAfter(cursor: Cursor, session: OpenSession): Begin | undefined {
  const known = decodeCursor(cursor);
  if (known === undefined || known.liveKey !== session.liveKey) return undefined;
  const { source } = session;
  const { index, before, told } = known;
  if (index > 0 && index >= source.count) return undefined;
  const stamp = source.stamp(index);
  if (stamp.parts !== before.parts || stamp.times !== before.times) return undefined;
  if (told.length > 0) {
    const message = source.message(index);
    if (message === undefined) return undefined;
    const hashes = eventsOf(session, message, index).events.map(eventHash);
    if (!told.every((hash, at) => hashes[at] === hash)) return undefined;
  }
  return { ...known, own: known.ownHash === session.ownHash ? 0 : session.own.length };
}
