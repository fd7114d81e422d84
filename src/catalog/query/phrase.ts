import type { EventText } from "../index/event-text.ts";
import { wordsOf } from "./words.ts";

/** Whether words stand next to each other, the last one perhaps only begun. */
export function hasPhrase(
  words: readonly string[],
  phrase: readonly string[],
  prefix: boolean,
): boolean {
  const last = phrase.length - 1;
  for (let at = 0; at + last < words.length; at += 1) {
    let index = 0;
    while (index < last && words[at + index] === phrase[index]) index += 1;
    if (index < last) continue;
    const end = words[at + last]!;
    if (prefix ? end.startsWith(phrase[last]!) : end === phrase[last]) return true;
  }
  return false;
}

/** Whether an event names a file, for `file:`. */
export function namesFile(text: EventText, path: string): boolean {
  return text.kind === "tool_use" && hasPhrase(wordsOf(text.text), wordsOf(path), false);
}
