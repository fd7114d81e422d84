import type { CustomEvent, EventBody, EventType } from "./event.ts";

/** Types that a compare-and-append may chain onto without a conflict. */
export const quietTypes: ReadonlySet<string> = new Set<EventType>([
  "meta",
  "note",
  "checkpoint",
  "hook",
  "task",
  "agent",
  "part",
  "recovered",
]);

/** Types that carry the conversation on, or elsewhere: none stands between the parts of one text. */
export const conversationTypes: ReadonlySet<string> = new Set<EventType>([
  "session_start",
  "system",
  "user",
  "assistant",
  "thinking",
  "tool_use",
  "tool_result",
  "compaction",
  "rewind",
  "session_end",
]);

/** Types whose append is acknowledged after a data sync under `sync: "turn"`. */
export const turnTypes: ReadonlySet<string> = new Set<EventType>([
  "user",
  "compaction",
  "rewind",
  "checkpoint",
  "session_end",
]);

/** Whether an event is a custom one of a name. */
export function isCustom<Name extends string, Event extends EventBody>(
  event: Event,
  name: Name,
): event is Event & CustomEvent<Name> {
  return event.type === "custom" && event.name === name;
}
