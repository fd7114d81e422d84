import type { EventBody, UserEvent } from "./event.ts";

/** Whether somebody asked for something in their own words: no program put it in, and it is not a command they ran. */
export function isPrompt(body: EventBody): body is UserEvent {
  return body.type === "user" && body.injected !== true && body.ran !== true;
}
