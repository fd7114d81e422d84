import type { EventBody, UserEvent } from "./event.ts";

/** Whether a person or a model said something: what stands before the first of it is no conversation yet. */
export function isSaid(body: EventBody): boolean {
  return isPrompt(body) || (body.type === "assistant" && body.synthetic !== true);
}

/** Whether somebody asked for something in their own words: no program put it in, and it is not a command they ran. */
export function isPrompt(body: EventBody): body is UserEvent {
  return body.type === "user" && body.injected !== true && body.ran !== true;
}
