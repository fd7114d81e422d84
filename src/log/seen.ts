import { RepriseError } from "../base/errors.ts";
import type { EventId } from "../model/event.ts";
import { conversationTypes } from "../model/event-groups.ts";
import type { Draft } from "./draft.ts";

/** The last event that the author of appends knows; a log moves it on with what it writes for that author. */
export interface Seen {
  last: EventId;
}

/** Where a log ends, and whether only quiet events came after an id. */
export interface LogTip {
  readonly last: EventId;
  readonly isQuietSince: (id: EventId) => boolean;
}

/** What an append says about the events before it. */
export interface Demand {
  /** The last id the caller saw; anything but quiet events after it is a conflict. */
  readonly after?: EventId | undefined;
  /** Quiet events after it are a conflict too. */
  readonly exactly?: boolean | undefined;
  /** What its author knows: the conversation is continued only if nobody else continued it since. */
  readonly seen?: Seen | undefined;
  /** The author takes the session as it is: `seen` is moved on and compared with nothing. */
  readonly takesAll?: boolean | undefined;
}

/** Throws `conflict` if a log does not end if an append demands; true if its author knows all that came before. */
export function checkDemand(
  drafts: readonly Draft[],
  { after, exactly, seen, takesAll }: Demand,
  tip: LogTip,
): boolean {
  const { last } = tip;
  if (after !== undefined && !isAtEnd(after, tip, exactly)) throw conflict(after, last);
  if (seen === undefined || takesAll || isAtEnd(seen.last, tip)) return true;
  if (drafts.some(({ body }) => conversationTypes.has(body.type))) throw conflict(seen.last, last);
  return false;
}

/** The error of an append whose author does not know the end of the session. */
export function conflict(seen: EventId, last: EventId): RepriseError {
  return new RepriseError(
    "conflict",
    `Event ${seen} is not the last one; the session is at ${last}.`,
    { details: { last } },
  );
}

function isAtEnd(id: EventId, { last, isQuietSince }: LogTip, exactly = false): boolean {
  return id === last || (id < last && !exactly && isQuietSince(id));
}
