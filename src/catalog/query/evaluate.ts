import { asksFact, hasFact } from "../index/event-facts.ts";
import { type EventText, wordText } from "../index/event-text.ts";
import { roles } from "../index/kind.ts";
import { isTool } from "../index/tool-name.ts";
import type { Query, Term } from "./query.ts";
import { timesOf } from "./session-filter.ts";
import { wordsOf } from "./words.ts";

/** How the text of events is looked through. */
export type Mode =
  | { readonly kind: "words"; readonly deep: boolean }
  | { readonly kind: "pattern"; readonly pattern: RegExp };

/** Tells whether one event is what was asked for, by the same rules as the index. */
export type Evaluate = (text: EventText, atMs: number | undefined) => boolean;

/** How to tell, for a query and a mode. */
export function evaluator(query: Query, mode: Mode, options: { readonly nowMs: number }): Evaluate {
  const { since, until } = timesOf(query.filters, options.nowMs);
  const facts = query.filters.filter(asksFact);
  const tools = query.filters.filter(({ key }) => key === "tool");
  const spoken = query.filters.filter(({ key }) => key === "role");
  return (text, atMs) => {
    const seconds = atMs === undefined ? undefined : Math.floor(atMs / 1000);
    if (since !== undefined && (seconds === undefined || seconds < since)) return false;
    if (until !== undefined && (seconds === undefined || seconds > until)) return false;
    for (const { value, not } of spoken) {
      if ((roles[value]?.includes(text.kind) === true) === not) return false;
    }
    for (const fact of facts) if (hasFact(text, fact) === fact.not) return false;
    for (const { value, not } of tools) if (isTool(text.tool ?? "", value) === not) return false;
    if (mode.kind === "pattern") return mode.pattern.test(text.text);
    return hasWords(mode.deep ? text.text : wordText(text), query);
  };
}

function hasWords(text: string, { clauses }: Query): boolean {
  if (clauses.length === 0) return true;
  let words: readonly string[] | undefined;
  const lower = text.toLowerCase();
  for (const { anyOf, not } of clauses) {
    const found = anyOf.some((term) => {
      if (isSurelyAbsent(lower, term)) return false;
      words ??= wordsOf(text);
      return hasPhrase(words, term.words, term.prefix);
    });
    if (found === not) return false;
  }
  return true;
}

const plainWord = /^[a-z0-9]+$/;

/** A quick look before the text is taken apart; only plain letters cannot be hidden by an accent. */
function isSurelyAbsent(lower: string, { words }: Term): boolean {
  return words.some((word) => plainWord.test(word) && isPlain(lower) && !lower.includes(word));
}

const plain = /^[\x00-\x7f]*$/;
let checked = "";
let checkedIsPlain = true;

function isPlain(text: string): boolean {
  if (text !== checked) {
    checked = text;
    checkedIsPlain = plain.test(text);
  }
  return checkedIsPlain;
}

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
