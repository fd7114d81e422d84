import { limits } from "../base/limits.ts";
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
  const quick = quickPattern(terms);
  const byPattern = quick === undefined ? undefined : patternFinder(quick);
  return (text) => {
    const found = byPattern?.(text) ?? [];
    // Only accents can hide a word from the pattern.
    return found.length > 0 || (byPattern !== undefined && isPlain(text))
      ? found
      : wordByWord(text, terms);
  };
}

const letter = "[\\p{L}\\p{N}]";

/** The terms as a pattern, far quicker than word by word; undefined where a word is not plain ASCII. */
function quickPattern(terms: readonly Term[]): RegExp | undefined {
  if (terms.length === 0 || !terms.every(({ words }) => words.every(isPlain))) return undefined;
  const sources = terms.map(({ words, prefix }) => {
    const end = prefix ? `${letter}*` : `(?!${letter})`;
    return `(?<!${letter})${words.join("[^\\p{L}\\p{N}]+")}${end}`;
  });
  return new RegExp(sources.join("|"), "iu");
}

const plain = /^[\x00-\x7f]*$/;

function isPlain(text: string): boolean {
  return plain.test(text);
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
  // Blank for blank, so that the places of what was found stay right.
  const shown = text.slice(start, end).replace(/[\s\u0000-\u001f]/g, " ");
  const marks = found
    .filter(([from, to]) => from >= start && to <= end)
    .map(([from, to]) => [from - start + before.length, to - start + before.length] as const);
  return { text: `${before}${shown.toWellFormed()}${after}`, marks };
}
