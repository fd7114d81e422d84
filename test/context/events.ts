import type { EventBody, EventId, SessionEvent } from "../../src/model/event.ts";

const at = "2026-11-15T10:00:00.000Z";

/** One event at a place in a log. */
export function event(id: EventId, body: EventBody, parent?: EventId): SessionEvent {
  return { id, at, ...(parent === undefined ? {} : { parent }), ...body };
}

/** Bodies one after the other, each the child of the one before. */
export function chain(...bodies: readonly EventBody[]): readonly SessionEvent[] {
  return bodies.map((body, index) => event(index + 1, body, index === 0 ? undefined : index));
}

export const start: EventBody = { type: "session_start", format: 1, session: "s" };
export const user = (content: string): EventBody => ({ type: "user", content });
export const assistant = (content: string, more: object = {}): EventBody => ({
  type: "assistant",
  content,
  ...more,
});
export const call = (id: string, more: object = {}): EventBody => ({
  type: "tool_use",
  call: id,
  name: "Bash",
  input: { command: "ls" },
  ...more,
});
export const result = (id: string, content = "ok"): EventBody => ({
  type: "tool_result",
  call: id,
  content,
});
