import type { ContextMessage } from "./messages.ts";

/** A prompt and everything up to the next one; begins and ends are positions among the messages. */
export interface Turn {
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts messages into turns. A turn begins with the run of user messages that holds what a person
 * typed; text that programs put in between does not end a turn, unless nobody ever typed.
 */
export function turnsOf(messages: readonly ContextMessage[]): readonly Turn[] {
  const typed = messages.some((message) => isTyped(message));
  const starts: number[] = [];
  let run = -1;
  messages.forEach((message, index) => {
    if (message.role !== "user") run = -1;
    else if (run < 0) run = index;
    const begins = run >= 0 && (isTyped(message) || !typed) && starts.at(-1) !== run;
    if (begins) starts.push(run);
  });
  if (messages.length > 0 && starts[0] !== 0) starts.unshift(0);
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? messages.length }));
}

function isTyped(message: ContextMessage): boolean {
  return message.role === "user" && message.injected !== true && message.summary !== true;
}
