import { bodyOf } from "../../../log/mend.ts";
import type { SessionEvent } from "../../../model/event.ts";
import type { AgentEvent } from "../../contract.ts";

/** An event of ours as one of any agent's. */
export function agentEvent(event: SessionEvent, live: boolean): AgentEvent {
  return {
    number: String(event.id),
    ...(event.parent !== undefined && { parent: String(event.parent) }),
    at: event.at,
    live,
    body: bodyOf(event),
    native: event,
  };
}
