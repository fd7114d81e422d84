import { kindBits, lengthClassOf } from "./event-facts.ts";
import { kindNumber, shareOf } from "./kind.ts";
import { wordsOfClass } from "./text-length.ts";

/** About how many words an event has, by the number that says what it is. */
export function eventLength(what: number): number {
  return wordsOfClass(lengthClassOf(what));
}

/** How much an event adds to the length of its session. */
export function sessionLength(what: number): number {
  return eventLength(what) * shareOf(what & kindBits);
}

/** Whether a person said it. */
export function isPrompt(what: number): boolean {
  return (what & kindBits) === kindNumber("user");
}
