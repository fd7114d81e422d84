import { rootOf, type Sought, type SoughtTerm } from "./sought.ts";
import { type PlacedWord, placedWords } from "./words.ts";

/** ASCII, and the dashes, quotation marks, arrows, lines and pictures that no word has. */
const plain =
  /^[\x00-\x7f\xa0-\xa9\xab\xac\xae-\xb1\xb7\xbb\u2010-\u206f\u20a0-\u20cf\u2190-\u245f\u2500-\u2775\u2794-\u2bff\u{1f300}-\u{1faff}]*$/u;

/** A quick look before a text is taken apart: whether it surely has nothing that is looked for. */
export function absenceOf(sought: readonly Sought[]): (text: string) => boolean {
  const roots = rootsOf(sought, firstLetters);
  if (roots === undefined) return () => false;
  return (text) => {
    if (!plain.test(text)) return false;
    const lower = text.toLowerCase();
    return !roots.some((root) => lower.includes(root));
  };
}

/**
 * The words of a text that may be something of what is looked for, or the last one of a phrase, without looking at each of
 * the others: finding the places in the texts of real sessions took twice as long.
 */
export function possibleWords(sought: readonly Sought[]): (text: string) => Iterable<PlacedWord> {
  const roots = rootsOf(sought, lastLetters);
  if (roots === undefined || roots.length === 0) return placedWords;
  const any = roots.join("|");
  return (text) =>
    plain.test(text) ? wordsAround(new RegExp(any, "gi"), text) : placedWords(text);
}

/** The whole words around what a pattern finds. */
function* wordsAround(pattern: RegExp, text: string): Generator<PlacedWord> {
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    let start = found.index;
    let end = pattern.lastIndex;
    while (start > 0 && isLetter(text.charCodeAt(start - 1))) start -= 1;
    while (end < text.length && isLetter(text.charCodeAt(end))) end += 1;
    yield { typed: text.slice(start, end), start, end };
    pattern.lastIndex = end;
  }
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** What of each term its text must have; undefined if something of it could be hidden by an accent. */
function rootsOf(
  sought: readonly Sought[],
  of: (term: SoughtTerm) => string | undefined,
): readonly string[] | undefined {
  const roots = sought.flatMap(({ terms }) => terms.map(of));
  const isTold = roots.every((root) => root !== undefined && plain.test(root));
  return isTold ? (roots as string[]) : undefined;
}

/** Letters that a text has if it has the term. */
function firstLetters(term: SoughtTerm): string | undefined {
  return term.kind === "phrase" ? term.words[0] : rootOf(term);
}

/** Letters that a word has if it is the term, or ends it. */
function lastLetters(term: SoughtTerm): string | undefined {
  return term.kind === "phrase" ? term.words.at(-1) : rootOf(term);
}
