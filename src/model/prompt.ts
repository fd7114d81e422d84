import type { EventBody, UserEvent } from "./event.ts";

/** Whether a person or a model said something: what stands before the first of it is no conversation yet. */
export function isSaid(body: EventBody): boolean {
  return isPrompt(body) || (body.type === "assistant" && body.synthetic !== true);
}

/** Whether somebody asked for something in their own words: no program put it in, and it is not a command they ran. */
export function isPrompt(body: EventBody): body is UserEvent {
  return body.type === "user" && body.injected !== true && body.ran !== true;
}

/** Whether an event is one of a session's prompts: what an agent asked its subagents is none. */
export function isSessionPrompt(event: SaidIn): event is SaidIn & { readonly body: UserEvent } {
  return event.sidechain === undefined && isPrompt(event.body);
}

/** Of an event: what it says, and the subagent it belongs to, if any. */
interface SaidIn {
  readonly body: EventBody;
  readonly sidechain?: string;
}
