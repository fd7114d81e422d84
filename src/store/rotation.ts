import { uuidv7 } from "../base/ids.ts";
import { stateOf } from "../context/state.ts";
import type { SessionMeta } from "../log/session-meta.ts";
import type {
  EventBody,
  EventFrame,
  EventId,
  SessionEnd,
  SessionEvent,
  SessionStart,
} from "../model/event.ts";
import { quietTypes } from "../model/event-groups.ts";

/** How a session continues in a new one from a summary. */
export interface Rotation {
  /** The last event the summary knows: nobody may have written since. */
  readonly after: EventId;
  /** How the old session ends. It says first if it goes on: so it has one continuation, and that is the newer one. */
  readonly end: SessionEnd;
  /** The first event of the new one. */
  readonly next: SessionStart;
  /** What the new one begins with. */
  readonly begun: readonly EventBody[];
}

/** Plans the rotation of a session whose path is summarised. */
export function rotationOf(
  old: { readonly start: SessionStart & EventFrame; readonly meta: SessionMeta },
  { summary, path }: { readonly summary: string; readonly path: readonly SessionEvent[] },
): Rotation {
  const { base: _base, seal: _seal, ...facts } = old.start;
  const { id: _id, parent: _parent, at: _at, sum: _sum, ...start } = facts;
  const { title, tags, pinned } = old.meta;
  const after = path.at(-1)!.id;
  const model = stateOf(path).model ?? start.model;
  const next: SessionStart = {
    ...start,
    session: uuidv7(),
    ...(title !== undefined && title !== null && { title }),
    ...(tags !== undefined && { tags }),
    ...(model !== undefined && { model }),
    continues: { session: start.session, event: after },
  };
  return {
    after,
    next,
    end: { type: "session_end", reason: "rotated", rotatedTo: next.session },
    begun: [
      { type: "compaction", summary, strategy: "rotate" },
      ...(pinned ? [{ type: "meta", pinned } as const] : []),
    ],
  };
}

/**
 * Where a session goes on, as its newest events say, given one by one: the id of the session, false if it does not,
 * undefined if an older event has to be asked.
 */
export function continuedIn(event: SessionEvent): string | false | undefined {
  if (quietTypes.has(event.type)) return undefined;
  return event.type === "session_end" && event.rotatedTo !== undefined ? event.rotatedTo : false;
}
