import type { EventId, RewindEvent } from "../model/event.ts";

/** The event that goes back to another one; what came after stays, and a rewind to `from` undoes it. */
export function rewindTo(
  to: EventId,
  { from, reason }: { readonly from: EventId; readonly reason?: string | undefined },
): RewindEvent {
  return { type: "rewind", to, from, ...(reason !== undefined && { reason }) };
}
