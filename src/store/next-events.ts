import { isoNow } from "../base/clock.ts";
import type { Draft } from "../log/draft.ts";
import { encodeBody } from "../log/line.ts";
import { checkDemand, type Demand } from "../log/seen.ts";
import { mergeMeta, metaOfEvent, type SessionMeta } from "../log/session-meta.ts";
import type { EventBody, EventId, SessionEvent } from "../model/event.ts";
import type { After } from "./contract.ts";
import { draftOf } from "./draft.ts";

/** Where a session stands before an append. */
export interface StoreEnd {
  readonly last: EventId;
  readonly meta: SessionMeta;
}

/** Events as they follow a session's end, and what is known of the session after them. */
export interface NextEvents {
  readonly events: readonly SessionEvent[];
  readonly meta: SessionMeta;
}

/**
 * Makes events of what somebody appends, for a store that keeps them as they are: checked, as JSON gives them back, with
 * id, parent and time, and with all that is known of the session in `meta` events. Throws `bad_event`.
 */
export function nextEvents(bodies: readonly EventBody[], end: StoreEnd): NextEvents {
  return eventsOf(bodies.map(draftOf), end);
}

/** The same of bodies that were checked. */
export function eventsOf(drafts: readonly Draft[], end: StoreEnd): NextEvents {
  let { meta, last } = end;
  const events = drafts.map((draft): SessionEvent => {
    // The same copy a file would give back: later changes to the caller's object do not reach it.
    let body = JSON.parse(draft.json ?? encodeBody(draft.body)) as EventBody;
    if (body.type === "meta") {
      meta = mergeMeta(meta, draft.meta?.(meta) ?? metaOfEvent(body));
      body = { ...body, ...meta };
    }
    const parent = body.type === "rewind" ? body.to : last;
    last += 1;
    return { id: last, parent, at: draft.at ?? isoNow(), ...body };
  });
  return { events, meta };
}

/** A store's demand as a log takes it. */
export function demandOf(after: After): Demand {
  return typeof after === "object" ? { after: after.exactly, exactly: true } : { after };
}

/**
 * Throws `conflict` if an append demands an end that the session no longer has. `isQuietSince` says whether only
 * quiet events came after an id.
 */
export function checkAfter(
  after: After,
  {
    last,
    isQuietSince,
  }: { readonly last: EventId; readonly isQuietSince: (id: EventId) => boolean },
): void {
  checkDemand([], demandOf(after), { last, isQuietSince });
}
