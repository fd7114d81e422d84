import { partsOfName } from "../index/identifier-parts.ts";
import type { Clause, Query, Term } from "./query.ts";
import { stem } from "./stem.ts";
import { isStopWord } from "./stop-words.ts";
import { wordsOf } from "./words.ts";

/** A word in any of its forms; the beginning of one; a piece of one; words that stand next to each other. */
export type SoughtTerm =
  | { readonly kind: "word"; readonly word: string; readonly stem: string }
  | { readonly kind: "prefix"; readonly word: string }
  | { readonly kind: "piece"; readonly word: string }
  | { readonly kind: "phrase"; readonly words: readonly string[]; readonly prefix: boolean };

/** One thing a query looks for, which scores on its own. */
export interface Sought {
  readonly text: string;
  /** Any of them will do. */
  readonly terms: readonly SoughtTerm[];
  readonly weight: number;
  /** `must`: an event without it is not found. `adds`: an event with nothing else is not found. */
  readonly use: "may" | "must" | "adds";
}

const togetherWeight = 0.5;
const partWeight = 0.5;
/**
 * What two words count more that stand next to each other. For pairs of words from messages of commits the right session came
 * first 8 to 10 times more often in a hundred with 1 or 2 than without; with 3 less so. In a sentence pairs add little.
 */
const pairWeight = 1.5;
/** How many words are taken for a name, at most. */
const mostInName = 3;

/**
 * What a query looks for. A phrase must be there; of the words the more the better, and one that stands in nearly every
 * text does not count beside others. Words typed without a blank between them, such as a path, count more together.
 */
export function soughtIn({ clauses }: Query): readonly Sought[] {
  const wanted = clauses.filter(({ not }) => !not);
  const all = wanted.flatMap(soughtOf);
  const counting = all.filter(({ terms }) => !terms.every(isStopTerm));
  if (counting.length === 0) return once(all);
  return once([...counting, ...pairsIn(wanted)]);
}

/** A few words may be a name, such as `rate limit`: two that follow each other count more if a text has them so. */
function pairsIn(clauses: readonly Clause[]): readonly Sought[] {
  if (clauses.length > mostInName) return [];
  return clauses.slice(1).flatMap(({ anyOf }, at): readonly Sought[] => {
    const both = [...clauses[at]!.anyOf, ...anyOf];
    if (both.length !== 2 || both.some((term) => term.quoted || !isCountingWord(term))) return [];
    const words = both.flatMap((term) => term.words);
    const terms = [{ kind: "phrase", words, prefix: true }] as const;
    return [{ text: words.join(" "), terms, weight: pairWeight, use: "adds" }];
  });
}

function isCountingWord({ words }: Term): boolean {
  return words.length === 1 && !wordTerms(words[0]!, false).every(isStopTerm);
}

function soughtOf({ anyOf }: Clause): readonly Sought[] {
  const [term] = anyOf;
  if (anyOf.length > 1 || term === undefined) {
    const use = anyOf.every(({ quoted }) => quoted) ? "must" : "may";
    const text = anyOf.map((one) => one.text).join(" OR ");
    return [{ text, terms: anyOf.flatMap(eitherTerms), weight: 1, use }];
  }
  if (term.quoted) return [{ text: term.text, terms: [phraseOf(term)], weight: 1, use: "must" }];
  const last = term.words.length - 1;
  const words = term.words.flatMap((word, at): Sought[] =>
    wordTerms(word, term.prefix && at === last).map((one) => ({
      text: one.kind === "phrase" ? word : one.word,
      terms: [one],
      weight: 1,
      use: "may",
    })),
  );
  if (last === 0) return [...words, ...partsOfName(term.text).map(asPart)];
  const together = { text: term.text, terms: [phraseOf(term)], weight: togetherWeight } as const;
  return [...words, { ...together, use: "adds" }];
}

/** What a name that was typed is made of: others write it in words. */
function asPart(part: string): Sought {
  const term = { kind: "word", word: part, stem: stem(part) } as const;
  return { text: part, terms: [term], weight: partWeight, use: "may" };
}

function eitherTerms(term: Term): readonly SoughtTerm[] {
  const isOne = term.words.length === 1 && !term.quoted;
  return isOne ? wordTerms(term.words[0]!, term.prefix) : [phraseOf(term)];
}

function phraseOf({ words, prefix }: Term): SoughtTerm {
  return { kind: "phrase", words, prefix };
}

/** Scripts that put no blanks between words. */
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+$/u;

function wordTerms(word: string, prefix: boolean): readonly SoughtTerm[] {
  if (word > "\u0e00" && unspaced.test(word)) return piecesOf(word);
  return [prefix ? { kind: "prefix", word } : { kind: "word", word, stem: stem(word) }];
}

/** A run of such letters by its pairs: the index has whole runs, and a part of one is what people look for. */
function piecesOf(run: string): readonly SoughtTerm[] {
  const letters = [...run];
  if (letters.length <= 2) return [{ kind: "piece", word: run }];
  return letters
    .slice(1)
    .map((letter, at): SoughtTerm => ({ kind: "piece", word: letters[at]! + letter }));
}

function isStopTerm(term: SoughtTerm): boolean {
  return term.kind === "word" && isStopWord(term.word);
}

/** Each thing once, however often it was typed. */
function once(sought: readonly Sought[]): readonly Sought[] {
  const kept = new Map<string, Sought>();
  for (const one of sought) {
    const key = one.terms.map(keyOf).join("\n");
    if (!kept.has(key)) kept.set(key, one);
  }
  return [...kept.values()];
}

function keyOf(term: SoughtTerm): string {
  if (term.kind === "phrase") return `"${term.words.join(" ")}"${term.prefix ? "*" : ""}`;
  return `${term.kind}:${term.kind === "word" ? term.stem : term.word}`;
}

const shortestBegun = 4;
const begunCount = 0.5;

/**
 * How much a word of a text counts for a term: fully in any form of it, half where it only begins so, as `limit` does
 * in `limiter3`; 0 where it is another word. These are halves, so that sums are the same in whichever order.
 */
export function countOf(term: SoughtTerm, word: string): number {
  switch (term.kind) {
    case "word":
      if (word === term.word || stem(word) === term.stem) return 1;
      return isBegun(word, term.word) ? begunCount : 0;
    case "prefix":
      return word.startsWith(term.word) ? 1 : 0;
    case "piece":
      return word.includes(term.word) ? 1 : 0;
    case "phrase":
      return 0;
  }
}

/** Whether a text begins with one of the words that are looked for. */
export function leadsWith(sought: readonly Sought[], text: string): boolean {
  const [first] = wordsOf(text.slice(0, leadChars));
  if (first === undefined) return false;
  return sought.some(({ terms }) => terms.some((term) => countOf(term, first) > 0));
}

const leadChars = 256;

/** Whether a word goes on from another; 40 does not go on from 4. */
function isBegun(word: string, beginning: string): boolean {
  if (beginning.length < shortestBegun || !word.startsWith(beginning)) return false;
  return !(/\d$/.test(beginning) && /\d/.test(word[beginning.length]!));
}

/** What a word counts that is only a part of a name. */
export const partCount = 0.5;

/** The letters that every word begins with that counts for a term; undefined where they may stand anywhere in it. */
export function rootOf(term: Exclude<SoughtTerm, { kind: "phrase" }>): string | undefined {
  if (term.kind === "piece") return undefined;
  if (term.kind === "prefix") return term.word;
  // An ending changes the last letter of what is left at most.
  const isChanged = term.stem.length > 3 || /[ei]$/.test(term.stem);
  return isChanged ? term.stem.slice(0, -1) : term.stem;
}
