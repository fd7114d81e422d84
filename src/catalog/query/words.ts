/*
 * Words as the index knows them: runs of letters and digits, lower case, without accents. The same rule
 * as SQLite's `unicode61 remove_diacritics 2`, so that a search that streams finds what an indexed one does.
 */

const plain = /^[\x00-\x7f]*$/;

/** Made when it is needed: V8 goes through all of Unicode for it. */
function wordShape(): RegExp {
  // Of the marks only those that SQLite takes for accents continue a word.
  return /[\p{L}\p{N}\p{Co}](?:[\p{L}\p{N}\p{Co}]|[\u0300-\u0331])*/gu;
}

/** The form of a word that is compared: accents go where the letter below them is a plain one. */
export function folded(word: string): string {
  if (plain.test(word)) return word.toLowerCase();
  let result = "";
  for (const character of word) {
    if (/[\u0300-\u0331]/.test(character)) continue;
    // Letter by letter: some languages lower the end of a word in another way.
    const lower = character.toLowerCase();
    const base = lower.normalize("NFD")[0]!;
    result += base < "\u0080" ? base : lower;
  }
  return result;
}

/** The words of a text, folded, in order. */
export function wordsOf(text: string): string[] {
  if (plain.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return (text.match(wordShape()) ?? []).map(folded);
}

/** A word as a text has it, and where it stands. */
export interface PlacedWord {
  readonly typed: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a text one by one, with their places. */
export function* placedWords(text: string): Generator<PlacedWord> {
  const shape = plain.test(text) ? /[A-Za-z0-9]+/g : wordShape();
  for (let found = shape.exec(text); found !== null; found = shape.exec(text))
    yield { typed: found[0], start: found.index, end: shape.lastIndex };
}
