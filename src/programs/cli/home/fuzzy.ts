/** How much each field counts: title, project, first prompt, everything else. */
const weights = [1, 0.9, 0.6, 0.5] as const;

/** Letters of a word may stand apart in the first fields only: in a long text they are found anywhere. */
const looseFields = 2;

/** How well an item fits the words typed; undefined where one of them is in none of its fields. */
export function fuzzyScore(
  words: readonly string[],
  fields: readonly string[],
): number | undefined {
  let total = 0;
  for (const word of words) {
    let best = 0;
    for (let at = 0; at < fields.length; at += 1) {
      const score = wordScore(word, fields[at]!, at < looseFields) * weights[at]!;
      if (score > best) best = score;
    }
    if (best === 0) return undefined;
    total += best;
  }
  return total;
}

/** How well one word fits a text, both in small letters; 0 where it does not. */
function wordScore(word: string, text: string, isLoose: boolean): number {
  const at = text.indexOf(word);
  if (at >= 0) {
    const isStart = at === 0 || !isLetter(text.charCodeAt(at - 1));
    return 100 + (isStart ? 40 : 0) - Math.min(at, 100) / 10;
  }
  return isLoose && word.length > 1 ? looseScore(word, text) : 0;
}

/** The letters of a word in their order, with others between them; they may not lie far apart. */
function looseScore(word: string, text: string): number {
  const room = word.length * 2 + 4;
  for (let from = text.indexOf(word[0]!); from >= 0; from = text.indexOf(word[0]!, from + 1)) {
    let at = from;
    let letter = 1;
    while (letter < word.length && at - from < room) {
      at = text.indexOf(word[letter]!, at + 1);
      if (at < 0) break;
      letter += 1;
    }
    const span = at - from + 1;
    if (letter === word.length && at >= 0 && span <= room) return 60 - (span - word.length) * 2;
  }
  return 0;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127;
}
