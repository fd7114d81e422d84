// 77 MB of turns made of the sets that are given, to measure in what time a question is answered: copies whose common
// words stay and whose rare words are others in every second copy, as texts of others share the common words alone.
import { setsIn, turnsOf } from "./relevance-sets.mjs";

const wanted = 77e6;
const commonWords = 2_000;
const shape = /[\p{L}\p{N}_]+/gu;

/** Turns of so many characters, and the questions that the sets ask. */
export function largeCorpus(folder) {
  const { units, questions } = unitsIn(folder);
  const common = commonIn(units);
  const copies = [];
  let chars = 0;
  for (let copy = 0; chars < wanted; copy += 1) {
    for (const unit of units) {
      const text = unit.text.replace(shape, (word) => otherWord(word, copy, common));
      const date = new Date(Date.parse(unit.date) + copy * 86_400_000).toISOString();
      copies.push({ ...unit, text, date, session: `${copy} ${unit.session}` });
      chars += text.length;
    }
  }
  return { units: copies, questions, chars };
}

function unitsIn(folder) {
  const units = [];
  const questions = [];
  for (const { name, sets, isDialogue } of setsIn(folder)) {
    for (const [at, set] of sets.entries()) {
      for (const unit of isDialogue ? turnsOf(set.conversation) : set.units)
        units.push({ ...unit, session: `${name} ${at} ${unit.session}` });
      // Questions about the second half of the dialogues are for reporting how well they are answered.
      if (!isDialogue) questions.push(...set.queries.map(({ q }) => q));
      else if (at < sets.length / 2) questions.push(...set.qa.map(({ question }) => question));
    }
  }
  return { units, questions };
}

function commonIn(units) {
  const having = new Map();
  for (const { text } of units)
    for (const word of new Set(text.toLowerCase().match(shape)))
      having.set(word, (having.get(word) ?? 0) + 1);
  const sorted = [...having].toSorted((a, b) => b[1] - a[1]);
  return new Set(sorted.slice(0, commonWords).map(([word]) => word));
}

function otherWord(word, copy, common) {
  const lower = word.toLowerCase();
  if (copy === 0 || common.has(lower) || hash(lower, copy) % 2 === 0) return word;
  return `${"bcdfghklmnprstvz"[copy % 16]}${"aeiou"[Math.floor(copy / 16) % 5]}${word}`;
}

function hash(word, seed) {
  let sum = Math.imul(seed, 2_654_435_761) >>> 0;
  for (let at = 0; at < word.length; at += 1)
    sum = Math.imul(sum ^ word.charCodeAt(at), 16_777_619) >>> 0;
  return sum >>> 8;
}
