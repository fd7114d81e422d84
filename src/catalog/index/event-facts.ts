import type { Filter } from "../query/query.ts";
import type { EventText } from "./event-text.ts";
import { kindNumber } from "./kind.ts";

/** The bits of an event's number that tell its kind; those above them tell its facts. */
export const kindBits = 0b1111;

const facts: readonly {
  readonly asked: string;
  readonly bit: number;
  readonly isTrue: (text: EventText) => boolean;
}[] = [
  { asked: "is:error", bit: 0b1_0000, isTrue: ({ isError }) => isError === true },
  { asked: "has:image", bit: 0b10_0000, isTrue: ({ hasImage }) => hasImage === true },
];

/** The number the index keeps for what an event is: its kind, and what `is:` and `has:` may ask about it. */
export function whatOf(text: EventText): number {
  let number = kindNumber(text.kind);
  for (const { bit, isTrue } of facts) if (isTrue(text)) number |= bit;
  return number;
}

/** Whether a filter asks for a fact of an event. */
export function asksFact({ key }: Filter): boolean {
  return key === "is" || key === "has";
}

/** The bit a filter asks for; 0 where no event has such a fact. */
export function factBit({ key, value }: Filter): number {
  return facts.find(({ asked }) => asked === `${key}:${value}`)?.bit ?? 0;
}

/** Whether an event has what a filter asks for. */
export function hasFact(text: EventText, { key, value }: Filter): boolean {
  return facts.some(({ asked, isTrue }) => asked === `${key}:${value}` && isTrue(text));
}
