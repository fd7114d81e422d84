import { stem } from "../../catalog/query/stem.ts";
import { isStopWord } from "../../catalog/query/stop-words.ts";
import { wordsOf } from "../../catalog/query/words.ts";

/*
 * Whether two statements speak of the same thing and say different things about it. Without a model this is a matter of
 * words: what both share is the subject; another number, name or date, the same sentence with another word in one place,
 * or a word such as "not" and "instead" shows that one of them takes the other back.
 */

/** A sentence as a comparison sees it. */
export interface Statement {
  /** All its words in order. */
  readonly all: readonly string[];
  /** Its telling words, without endings. */
  readonly words: ReadonlySet<string>;
  /** Numbers, names, dates and code. */
  readonly values: ReadonlySet<string>;
  /** It denies what it speaks of. */
  readonly denies: boolean;
  /** It says that something is no longer as it was. */
  readonly changes: boolean;
}

/** How two statements go together. */
export type Clash = "update" | "contradiction";

const denial =
  /\b(?:not|never|none|nobody|nothing|without|cannot|no longer|nor)\b|n't\b|\bno (?!problem|worries|doubt|one)|\b(?:stopped|quit|dropped|removed|disabled)\b/i;
const change =
  /\b(?:instead|no longer|any ?more|actually|(?:is|are|was|were|been|has|have|got|be) now|now (?:is|are|be|use|run)|(?:chang|mov|switch|migrat|renam|updat|upgrad|downgrad|extend|push|bump|rais|lower|increas|reduc|reschedul|postpon|revis)(?:e|es|ed|d|ing)?\b.{0,40}?\b(?:to|from|by|back)|replac(?:e|es|ed|ing)|reschedul(?:e|ed|ing)|postponed|revised|from now on|as of|correction|scratch that|turns out|used to|rather than|since then|new (?:deadline|date|plan|name|address|job|version|budget|port|owner)|let's (?:use|go with|switch)|went with|settled on|reconsider(?:ed)?)\b/i;
const dates =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow)$/;

/** The sentence of a text that has most of the words that were asked for. */
export function sentenceOf(text: string, asked: ReadonlySet<string>): string {
  let best = { sentence: "", count: -1 };
  for (const sentence of text.split(/(?<=[.!?])\s+|\n+/).map(withoutLabel)) {
    const count = new Set(
      wordsOf(sentence)
        .map(stem)
        .filter((word) => asked.has(word)),
    ).size;
    if (count > best.count) best = { sentence, count };
  }
  return best.sentence;
}

/** What asks, or says what its speaker is about to do, states nothing that could be outdated. */
export function isStatement(sentence: string): boolean {
  return (
    !/\?\s*$/.test(sentence) &&
    !/^(?:now|next|first|then|let me|i'll|i will|i'm going to)\b/i.test(sentence)
  );
}

/** Some texts begin with the name of who speaks. */
function withoutLabel(sentence: string): string {
  return sentence.replace(/^[\p{L}\p{N} ]{1,24}: (?=\S)/u, "");
}

/** The statement that a sentence makes. */
export function statementOf(sentence: string): Statement {
  const all = wordsOf(sentence);
  const words = new Set(all.filter((word) => !isStopWord(word)).map(stem));
  const named = [...sentence.matchAll(/(?<=[^\s.!?:]\s+)\p{Lu}[\p{L}\p{N}]+|`[^`]+`|"[^"]+"/gu)];
  const values = new Set([
    ...all.filter((word) => /\d/.test(word) || dates.test(word)),
    ...named.flatMap(([name]) => wordsOf(name)),
  ]);
  return { all, words, values, denies: denial.test(sentence), changes: change.test(sentence) };
}

/** Which part of the shorter statement's words the other must share, by what else shows that they clash. */
const enough = { contrary: 0.5, values: 0.5, changed: 0.34 };
const sameSentence = 0.6;

/**
 * Whether a newer statement updates or contradicts an older one. `asked` are the words of a question: something of it
 * must be among what the two share.
 */
export function clashOf(
  older: Statement,
  newer: Statement,
  asked?: ReadonlySet<string>,
): Clash | undefined {
  let shared = 0;
  let isAsked = asked === undefined;
  for (const word of older.words) {
    if (!newer.words.has(word)) continue;
    shared += 1;
    isAsked ||= asked!.has(word);
  }
  if (shared === 0 || !isAsked) return undefined;
  const isSame = shared === older.words.size && shared === newer.words.size;
  if (isSame && older.denies === newer.denies) return undefined;
  const part = shared / Math.min(older.words.size, newer.words.size);
  if (older.denies !== newer.denies && part >= enough.contrary && shared >= 2)
    return newer.changes ? "update" : "contradiction";
  if (framePart(older.all, newer.all) >= sameSentence) return "update";
  if (part >= enough.values && shared >= 2 && isOtherValue(older, newer)) return "update";
  const isTold = newer.changes && part >= enough.changed && shared >= 2;
  return isTold && !isSame ? "update" : undefined;
}

/** Whether each has a value that the other has not. */
function isOtherValue(older: Statement, newer: Statement): boolean {
  const lacks = (one: Statement, other: Statement): boolean =>
    [...one.values].some((value) => !other.values.has(value));
  return lacks(older, newer) && lacks(newer, older);
}

/** Which part of the shorter one is the same at its beginning and its end: the same sentence with other words inside. */
function framePart(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  let before = 0;
  while (before < most && a[before] === b[before]) before += 1;
  let after = 0;
  while (after < most - before && a.at(-1 - after) === b.at(-1 - after)) after += 1;
  return before + after < 2 || most < 3 ? 0 : (before + after) / most;
}
