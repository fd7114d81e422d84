import type { EventBody, EventId } from "../model/event.ts";
import { encodeBody } from "./line.ts";
import type { SessionMeta } from "./session-meta.ts";

/** An event to be appended: new, or anew as mending or importing gives it. */
export interface Draft {
  readonly body: EventBody;
  /** What the line holds in its place, where large strings were moved to blobs. */
  readonly stored?: EventBody;
  /** What the line holds as JSON, where the caller has it already. */
  readonly json?: string;
  readonly at?: string;
  readonly recoveredFrom?: EventId;
  /** What a meta event says, where that depends on what is known when its line is written. */
  readonly meta?: (known: SessionMeta) => SessionMeta;
}

/** The draft as it is now: what its author does to the event while it waits changes nothing. */
export function frozen(draft: Draft): Draft {
  if (draft.json !== undefined) return draft;
  return { ...draft, json: encodeBody(draft.stored ?? draft.body) };
}
