import { limits } from "../../base/limits.ts";
import { fieldEnd } from "../index/event-text.ts";
import { partsOfName } from "../index/identifier-parts.ts";
import { absenceOf, possibleWords } from "./absence.ts";
import { hasPhrase } from "./phrase.ts";
import type { Query } from "./query.ts";
import { countOf, type SoughtTerm, soughtIn } from "./sought.ts";
import { folded, placedWords } from "./words.ts";

/** A piece of a text around what was found; `marks` are the found parts of it. */
export interface Snippet {
  readonly text: string;
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/** A place in a text, and which of the things that are looked for stands there. */
export type Place = readonly [start: number, end: number, which: number];

/** Finds where a text has what was looked for. */
export type FindIn = (text: string) => readonly Place[];

const longestLook = 256 * 1024;
const mostPlaces = 512;
const mostKnown = 20_000;
/** A word of a phrase with what stands before it, at most. */
const phraseWordChars = 64;

/** Finds the words of a query. */
export function wordFinder(query: Query): FindIn {
  const sought = soughtIn(query);
  const phrases = sought.flatMap(({ terms }, which) =>
    terms.flatMap((term) => (term.kind === "phrase" ? [{ ...term, which }] : [])),
  );
  const isSurelyAbsent = absenceOf(sought);
  const wordsToTry = possibleWords(sought);
  const known = new Map<string, number>();
  /** Which thing a word of a text is; -1 for none. */
  const whichIs = (text: string): number => {
    let which = known.get(text);
    if (which === undefined) {
      const words = [folded(text), ...partsOfName(text)];
      const has = (term: SoughtTerm): boolean => words.some((word) => countOf(term, word) > 0);
      which = sought.findIndex(({ terms }) => terms.some(has));
      if (known.size >= mostKnown) known.clear();
      known.set(text, which);
    }
    return which;
  };
  return (given) => {
    if (isSurelyAbsent(given)) return [];
    const text = given.slice(0, longestLook);
    const found: Place[] = [];
    for (const { typed, start, end } of wordsToTry(text)) {
      const which = whichIs(typed);
      if (which >= 0) found.push([start, end, which]);
      for (const phrase of phrases) {
        if (!endsPhrase(typed, phrase)) continue;
        const first = phraseStart(text, end, phrase);
        if (first !== undefined) found.push([first, end, phrase.which]);
      }
      if (found.length >= mostPlaces) break;
    }
    return found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  };
}

interface Phrase {
  readonly words: readonly string[];
  readonly prefix: boolean;
}

function endsPhrase(typed: string, { words, prefix }: Phrase): boolean {
  return hasPhrase([folded(typed)], words.slice(-1), prefix);
}

/** Where a phrase begins that ends at a place; undefined if none does. */
function phraseStart(text: string, end: number, { words, prefix }: Phrase): number | undefined {
  const from = Math.max(0, end - words.length * phraseWordChars);
  const tail = [...placedWords(text.slice(from, end))].slice(-words.length);
  const told = tail.map(({ typed }) => folded(typed));
  if (told.length < words.length || !hasPhrase(told, words, prefix)) return undefined;
  return from + tail[0]!.start;
}

/** Finds a pattern. */
export function patternFinder(pattern: RegExp): FindIn {
  return (text) => {
    const all = new RegExp(pattern.source, `${pattern.flags.replace("g", "")}g`);
    const found: Place[] = [];
    for (const match of text.matchAll(all)) {
      found.push([match.index, match.index + match[0].length, 0]);
      if (found.length >= mostPlaces) break;
    }
    return found;
  };
}

/** The sentence of a text that has most of what was looked for; its beginning where nothing is found. */
export function snippetOf(given: string, find: FindIn): Snippet {
  const text = withoutLineNumbers(given);
  const found = find(text);
  const best = bestSentence(text, found);
  const chars = limits.snippetChars;
  const lead = Math.floor(chars / 3);
  let start = best?.start ?? 0;
  const first = best?.first ?? 0;
  if (first - start > lead) {
    start = first - lead;
    const gap = text.slice(start, start + 20).search(/\s/);
    if (gap >= 0 && start + gap < first) start += gap + 1;
  }
  const end = Math.min(text.length, start + chars);
  const before = start > 0 ? "…" : "";
  const after = end < text.length ? "…" : "";
  const piece = oneLine(text.slice(start, end).toWellFormed());
  const shift = before.length;
  const marks = apart(found)
    .filter(([from, to]) => from >= start && to <= end)
    .map(([from, to]) => [piece.at(from - start) + shift, piece.at(to - start) + shift] as const);
  return { text: `${before}${piece.text}${after}`, marks };
}

/** Of places within one another the outer ones. */
function apart(found: readonly Place[]): readonly Place[] {
  let end = 0;
  return found.filter((place) => {
    const isApart = place[0] >= end;
    if (isApart) end = place[1];
    return isApart;
  });
}

/** Many tools number the lines they put out. */
function withoutLineNumbers(text: string): string {
  return text.includes("→") ? text.replace(/^[ \t]*\d+→/gm, "") : text;
}

/** A text with what stands between two fields behind it. */
function betweenFields(text: string): string {
  const told = text.trimEnd();
  return told === "" || told.endsWith(" ·") ? text : `${told} · `;
}

const sentenceEnd = /[.!?。！？](?=\s)|[\n\r\u2028。！？]/g;

/** Where the sentence begins that has most different things, and where the first of them stands. */
function bestSentence(
  text: string,
  found: readonly Place[],
): { readonly start: number; readonly first: number } | undefined {
  let best: { readonly start: number; readonly first: number; readonly count: number } | undefined;
  let start = 0;
  let at = 0;
  const consider = (end: number): void => {
    const things = new Set<number>();
    const first = found[at]?.[0] ?? 0;
    for (; at < found.length && found[at]![0] < end; at += 1) things.add(found[at]![2]);
    if (things.size > (best?.count ?? 0)) best = { start, first, count: things.size };
  };
  for (const { index, 0: mark } of text.matchAll(sentenceEnd)) {
    if (at >= found.length) break;
    const end = index + mark.length;
    if (found[at]![0] < end) consider(end);
    start = end;
    while (start < text.length && /\s/.test(text[start]!)) start += 1;
  }
  if (at < found.length) consider(text.length);
  return best;
}

/** A text with every run of blanks as one, a sign between fields, and where each of its places went. */
function oneLine(text: string): { readonly text: string; at(place: number): number } {
  const places: number[] = [];
  let flat = "";
  for (let at = 0; at < text.length; at += 1) {
    places.push(flat.length);
    const isBlank = /[\s\u0000-\u001f]/.test(text[at]!);
    if (text[at] === fieldEnd) flat = betweenFields(flat);
    else if (!isBlank) flat += text[at];
    else if (flat !== "" && !flat.endsWith(" ")) flat += " ";
  }
  places.push(flat.length);
  return { text: flat, at: (place) => places[place] ?? flat.length };
}
