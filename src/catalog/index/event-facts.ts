import type { Filter } from "../query/query.ts";
import type { EventText } from "./event-text.ts";
import { kindNumber } from "./kind.ts";
import { lengthClass } from "./text-length.ts";

/** The bits of an event's number that tell its kind; those above them tell its facts, and how long it is. */
export const kindBits = 0b1111;

/** How far to the left the bits stand that tell how long a text is. */
const lengthShift = 8;

const facts: readonly {
  readonly asked: string;
  readonly bit: number;
  readonly isTrue: (text: EventText) => boolean;
}[] = [
  { asked: "is:error", bit: 0b1_0000, isTrue: ({ isError }) => isError === true },
  { asked: "has:image", bit: 0b10_0000, isTrue: ({ hasImage }) => hasImage === true },
  // The index has none of these: what asks for them is answered by reading.
  { asked: "is:injected", bit: 0b100_0000, isTrue: isInjected },
];

/** Set where a person or a model asks something: what comes next answers it. */
const asksBit = 0b1000_0000;
const askingKinds: ReadonlySet<string> = new Set(["user", "delegated", "assistant", "note"]);
/** A question that is answered stands near the end of what was said. */
const askingChars = 2048;

function isAsking({ kind, text }: EventText): boolean {
  return askingKinds.has(kind) && /\?(?=[\s"')\]]|$)/.test(text.slice(-askingChars));
}

/** Whether an event asks something, by the number that says what it is. */
export function asks(what: number): boolean {
  return (what & asksBit) !== 0;
}

/** The number the index keeps for what an event is: its kind, what `is:` and `has:` may ask about it, whether it asks something, its length. */
export function whatOf(text: EventText): number {
  let number = kindNumber(text.kind) | (lengthClass(text.text.length) << lengthShift);
  for (const { bit, isTrue } of facts) if (isTrue(text)) number |= bit;
  if (isAsking(text)) number |= asksBit;
  return number;
}

/** How long the text of an event is, as `lengthClass` says it. */
export function lengthClassOf(what: number): number {
  return what >> lengthShift;
}

/** Whether a program put the text there: it is searched only where that is asked for. */
export function isInjected({ kind }: Pick<EventText, "kind">): boolean {
  return kind === "system";
}

/** Whether filters ask for what programs put in. */
export function asksInjected(filters: readonly Filter[]): boolean {
  return filters.some(
    ({ key, value, not }) =>
      !not && ((key === "is" && value === "injected") || (key === "role" && value === "system")),
  );
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
