import { limits } from "../../base/limits.ts";
import { hasPhrase } from "./evaluate.ts";
import type { Query, Term } from "./query.ts";
import { type PlacedWord, placedWords } from "./words.ts";

/** A piece of a text around what was found; `marks` are the found parts of it. */
export interface Snippet {
  readonly text: string;
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/** Finds where a text has what was looked for. */
export type FindIn = (text: string) => readonly (readonly [start: number, end: number])[];

const longestLook = 256 * 1024;
const mostMarks = 16;

/** Finds the words of a query. */
export function wordFinder({ clauses }: Query): FindIn {
  const terms = clauses.filter(({ not }) => !not).flatMap(({ anyOf }) => anyOf);
  const isQuick = terms.every(({ words }) => words.every(isPlain));
  return (text) => {
    if (terms.length === 0) return [];
    if (!isQuick) return wordByWord(text, terms);
    const found = plainWords(text, terms);
    // Only accents can hide a plain word.
    return found.length > 0 || isPlain(text) ? found : wordByWord(text, terms);
  };
}

const plain = /^[\x00-\x7f]*$/;

function isPlain(text: string): boolean {
  return plain.test(text);
}

/** Whether a character belongs to words. */
function isLetter(character: string): boolean {
  return isPlain(character) ? /[A-Za-z0-9]/.test(character) : /[\p{L}\p{N}]/u.test(character);
}

/** Plain words by looking for their letters first: far quicker than taking the text apart. */
function plainWords(text: string, terms: readonly Term[]): readonly [number, number][] {
  const lower = text.toLowerCase();
  // Some letters grow when they are lowered; then places differ.
  if (lower.length !== text.length) return [];
  const found: [number, number][] = [];
  for (const { words, prefix } of terms) {
    const [first = ""] = words;
    for (let at = lower.indexOf(first); at >= 0; at = lower.indexOf(first, at + 1)) {
      if (at > 0 && isLetter(lower[at - 1]!)) continue;
      const end = phraseEnd(lower, at, { words, prefix });
      if (end !== undefined) found.push([at, end]);
      if (found.length >= mostMarks) break;
    }
  }
  return found.sort((a, b) => a[0] - b[0]);
}

/** Where a phrase that begins at a place ends; undefined where it is not one. */
function phraseEnd(
  lower: string,
  from: number,
  { words, prefix }: Pick<Term, "words" | "prefix">,
): number | undefined {
  let at = from;
  for (const [index, word] of words.entries()) {
    if (index > 0) {
      const gap = at;
      while (at < lower.length && !isLetter(lower[at]!)) at += 1;
      if (at === gap) return undefined;
    }
    if (!lower.startsWith(word, at)) return undefined;
    at += word.length;
    const isWhole = at === lower.length || !isLetter(lower[at]!);
    if (!isWhole && !(prefix && index === words.length - 1)) return undefined;
  }
  while (prefix && at < lower.length && isLetter(lower[at]!)) at += 1;
  return at;
}

function wordByWord(text: string, terms: readonly Term[]): [number, number][] {
  const found: [number, number][] = [];
  const window: PlacedWord[] = [];
  const longest = Math.max(1, ...terms.map(({ words }) => words.length));
  for (const placed of placedWords(text.slice(0, longestLook))) {
    window.push(placed);
    if (window.length > longest) window.shift();
    for (const { words, prefix } of terms) {
      const tail = window.slice(-words.length);
      if (tail.length < words.length) continue;
      const told = tail.map(({ word }) => word);
      if (hasPhrase(told, words, prefix)) found.push([tail[0]!.start, placed.end]);
    }
    if (found.length >= mostMarks) break;
  }
  return found;
}

/** Finds a pattern. */
export function patternFinder(pattern: RegExp): FindIn {
  return (text) => {
    const all = new RegExp(pattern.source, `${pattern.flags.replace("g", "")}g`);
    const found: [number, number][] = [];
    for (const match of text.matchAll(all)) {
      found.push([match.index, match.index + match[0].length]);
      if (found.length >= mostMarks) break;
    }
    return found;
  };
}

/** The piece of a text around the first thing found; its beginning where nothing is. */
export function snippetOf(text: string, find: FindIn): Snippet {
  const found = find(text);
  const [first] = found;
  const chars = limits.snippetChars;
  const lead = Math.floor(chars / 3);
  let start = first === undefined ? 0 : Math.max(0, first[0] - lead);
  if (start > 0) {
    const gap = text.slice(start, start + 20).search(/\s/);
    if (gap >= 0 && start + gap < (first?.[0] ?? 0)) start += gap + 1;
  }
  const end = Math.min(text.length, start + chars);
  const before = start > 0 ? "…" : "";
  const after = end < text.length ? "…" : "";
  const piece = oneLine(text.slice(start, end).toWellFormed());
  const shift = before.length;
  const marks = found
    .filter(([from, to]) => from >= start && to <= end)
    .map(([from, to]) => [piece.at(from - start) + shift, piece.at(to - start) + shift] as const);
  return { text: `${before}${piece.text}${after}`, marks };
}

/** A text with every run of blanks as one, and where each of its places went. */
function oneLine(text: string): { readonly text: string; at(place: number): number } {
  const places: number[] = [];
  let flat = "";
  for (let at = 0; at < text.length; at += 1) {
    places.push(flat.length);
    const isBlank = /[\s\u0000-\u001f]/.test(text[at]!);
    if (!isBlank) flat += text[at];
    else if (flat !== "" && !flat.endsWith(" ")) flat += " ";
  }
  places.push(flat.length);
  return { text: flat, at: (place) => places[place] ?? flat.length };
}
