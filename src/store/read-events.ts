import type { SessionEvent } from "../model/event.ts";
import type { ReadRange } from "./contract.ts";
import type { EventsOptions, SessionLog } from "./session-log.ts";

/** The events of a log that a range asks for. */
export function* readEvents(
  log: SessionLog,
  range: ReadRange & EventsOptions = {},
): Generator<SessionEvent> {
  const { custom, ...options } = range;
  for (const event of log.events(options)) {
    if (custom === undefined || (event.type === "custom" && event.name === custom)) yield event;
  }
}
