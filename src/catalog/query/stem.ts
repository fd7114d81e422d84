/*
 * English words without their endings, by the rules of M. F. Porter, "An algorithm for suffix stripping" (1980). What
 * it makes of a word need not be a word: it is compared, never shown.
 */

const consonant = "[^aeiou]";
const vowel = "[aeiouy]";
const consonants = `${consonant}[^aeiouy]*`;
const vowels = `${vowel}[aeiou]*`;

const hasMeasure = new RegExp(`^(?:${consonants})?${vowels}${consonants}`);
const hasMeasureOne = new RegExp(`^(?:${consonants})?${vowels}${consonants}(?:${vowels})?$`);
const hasMeasureTwo = new RegExp(`^(?:${consonants})?(?:${vowels}${consonants}){2}`);
const hasVowel = new RegExp(`^(?:${consonants})?${vowel}`);
const endsShort = new RegExp(`^${consonants}${vowel}[^aeiouwxy]$`);

const secondEndings: Readonly<Record<string, string>> = {
  ational: "ate",
  tional: "tion",
  enci: "ence",
  anci: "ance",
  izer: "ize",
  bli: "ble",
  alli: "al",
  entli: "ent",
  eli: "e",
  ousli: "ous",
  ization: "ize",
  ation: "ate",
  ator: "ate",
  alism: "al",
  iveness: "ive",
  fulness: "ful",
  ousness: "ous",
  aliti: "al",
  iviti: "ive",
  biliti: "ble",
  logi: "log",
};

const thirdEndings: Readonly<Record<string, string>> = {
  icate: "ic",
  ative: "",
  alize: "al",
  iciti: "ic",
  ical: "ic",
  ful: "",
  ness: "",
};

const secondShape =
  /^(.+?)(ational|tional|enci|anci|izer|bli|alli|entli|eli|ousli|ization|ation|ator|alism|iveness|fulness|ousness|aliti|iviti|biliti|logi)$/;
const thirdShape = /^(.+?)(icate|ative|alize|iciti|ical|ful|ness)$/;
const fourthShape =
  /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/;

const known = new Map<string, string>();
const mostKnown = 20_000;

/** A word of plain lower-case letters without its ending; any other word as it is. */
export function stem(word: string): string {
  let stemmed = known.get(word);
  if (stemmed === undefined) {
    stemmed = /^[a-z]{3,40}$/.test(word) ? stripped(word) : word;
    if (known.size >= mostKnown) known.clear();
    known.set(word, stemmed);
  }
  return stemmed;
}

function stripped(given: string): string {
  // A `y` that begins a word is a consonant.
  const isY = given.startsWith("y");
  let word = isY ? `Y${given.slice(1)}` : given;
  word = withoutPlural(word);
  word = withoutTense(word);
  word = word.replace(/^(.+)y$/, (whole, rest: string) =>
    hasVowel.test(rest) ? `${rest}i` : whole,
  );
  word = replaced(word, secondShape, secondEndings);
  word = replaced(word, thirdShape, thirdEndings);
  word = withoutFourth(word);
  word = withoutLastE(word);
  return isY ? `y${word.slice(1)}` : word;
}

function withoutPlural(word: string): string {
  if (/(?:ss|i)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutTense(word: string): string {
  if (word.endsWith("eed")) return hasMeasure.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const rest = /^(.+)(?:ed|ing)$/.exec(word)?.[1];
  if (rest === undefined || !hasVowel.test(rest)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/([^aeiouylsz])\1$/.test(rest)) return rest.slice(0, -1);
  return endsShort.test(rest) ? `${rest}e` : rest;
}

function replaced(word: string, shape: RegExp, endings: Readonly<Record<string, string>>): string {
  const [, rest, ending] = shape.exec(word) ?? [];
  if (rest === undefined || ending === undefined || !hasMeasure.test(rest)) return word;
  return rest + endings[ending]!;
}

function withoutFourth(word: string): string {
  const rest = fourthShape.exec(word)?.[1];
  if (rest !== undefined) return hasMeasureTwo.test(rest) ? rest : word;
  const before = /^(.+[st])ion$/.exec(word)?.[1];
  return before !== undefined && hasMeasureTwo.test(before) ? before : word;
}

function withoutLastE(given: string): string {
  let word = given;
  const rest = /^(.+)e$/.exec(word)?.[1];
  if (rest !== undefined) {
    const isLong = hasMeasureTwo.test(rest);
    if (isLong || (hasMeasureOne.test(rest) && !endsShort.test(rest))) word = rest;
  }
  return word.endsWith("ll") && hasMeasureTwo.test(word) ? word.slice(0, -1) : word;
}
