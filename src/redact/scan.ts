import { assignmentAt, assignmentKeywords } from "./assignments.ts";
import type { Rule } from "./rule.ts";
import { rules } from "./rules.ts";
import type { Span } from "./span.ts";

// All keywords are looked for at once. The last three characters, case aside, hash to a bucket; a bucket
// that is not empty names the probes whose keyword may stand there, and only those are tried. Ordinary
// text costs one table look-up a character.

/** A rule and its keywords where one bucket leads to it. */
interface Probe {
  readonly rule: Rule;
  /** Its place among all rules. */
  readonly index: number;
  /** What must stand there, in lower case. */
  readonly keywords: string[];
}

const gram = 3;
const bitsPerCharacter = 5;
const bucketMask = (1 << (gram * bitsPerCharacter)) - 1;

/** Puts one more character into the hash; the one three before it falls out. */
function rolled(hash: number, code: number): number {
  return ((hash << bitsPerCharacter) ^ (code | 0x20)) & bucketMask;
}

const assignment: Rule = { name: "assignment", keywords: assignmentKeywords, at: assignmentAt };
const everyRule: readonly Rule[] = [...rules, assignment];
/** Lists of probes; a bucket holds the place of its list, and 0 where it is empty. */
const lists: Probe[][] = [[]];
const buckets = new Uint16Array(bucketMask + 1);
for (const [index, rule] of everyRule.entries()) addRule(rule, index);

function addRule(rule: Rule, index: number): void {
  for (const keyword of rule.keywords) {
    let hash = 0;
    for (let at = 0; at < gram; at += 1) hash = rolled(hash, keyword.charCodeAt(at));
    if (buckets[hash] === 0) buckets[hash] = lists.push([]) - 1;
    const list = lists[buckets[hash]!]!;
    const known = list.find((probe) => probe.index === index);
    if (known === undefined) list.push({ rule, index, keywords: [keyword] });
    else known.keywords.push(keyword);
  }
}

/** From where each rule looks on in the text at hand; kept, because most texts are short. */
const lookOn = new Int32Array(everyRule.length);

/** How many rules there are; each may know many shapes. */
export const ruleCount = everyRule.length;

/** Adds what has the shape of a secret, or is assigned to a name that promises one, to `found`. */
export function scan(text: string, found: Span[]): void {
  let hash = 0;
  let isFirst = true;
  let hits: { readonly index: number; readonly secret: Span }[] | undefined;
  for (let end = 0; end < text.length; end += 1) {
    hash = rolled(hash, text.charCodeAt(end));
    const bucket = buckets[hash]!;
    if (bucket === 0) continue;
    const at = end - gram + 1;
    if (at < 0) continue;
    if (isFirst) lookOn.fill(0);
    isFirst = false;
    for (const { rule, index, keywords } of lists[bucket]!) {
      if (at < lookOn[index]! || !standsAt(text, at, keywords)) continue;
      const { secrets, next } = rule.at(text, { at, from: lookOn[index]! });
      lookOn[index] = next;
      for (const secret of secrets) {
        hits ??= [];
        hits.push({ index, secret });
      }
    }
  }
  if (hits === undefined) return;
  // Where two fit the same place, the first of the rules names it.
  hits.sort((a, b) => a.index - b.index);
  for (const { secret } of hits) found.push(secret);
}

function standsAt(text: string, at: number, keywords: readonly string[]): boolean {
  for (const keyword of keywords) {
    let length = 0;
    while (
      length < keyword.length &&
      isSame(text.charCodeAt(at + length), keyword.charCodeAt(length))
    )
      length += 1;
    if (length === keyword.length) return true;
  }
  return false;
}

/** Whether a character is the wanted one, case aside; the wanted one is in lower case. */
function isSame(code: number, wanted: number): boolean {
  return code === wanted || (code >= 65 && code <= 90 && code + 32 === wanted);
}
