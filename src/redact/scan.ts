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

/** How many rules there are; each may know many shapes. */
export const ruleCount = everyRule.length;

/** Adds what has the shape of a secret, or is assigned to a name that promises one, to `found`. */
export function scan(text: string, found: Span[]): void {
  let hash = 0;
  let from: Int32Array | undefined;
  const hits: { readonly index: number; readonly secret: Span }[] = [];
  for (let end = 0; end < text.length; end += 1) {
    hash = rolled(hash, text.charCodeAt(end));
    const bucket = buckets[hash]!;
    if (bucket === 0) continue;
    const at = end - gram + 1;
    if (at < 0) continue;
    from ??= new Int32Array(everyRule.length);
    for (const { rule, index, keywords } of lists[bucket]!) {
      if (at < from[index]! || !standsAt(text, at, keywords)) continue;
      const { secrets, next } = rule.at(text, { at, from: from[index]! });
      from[index] = next;
      for (const secret of secrets) hits.push({ index, secret });
    }
  }
  // Where two fit the same place, the first of the rules names it.
  hits.sort((a, b) => a.index - b.index);
  for (const { secret } of hits) found.push(secret);
}

function standsAt(text: string, at: number, keywords: readonly string[]): boolean {
  return keywords.some((keyword) => {
    for (let index = 0; index < keyword.length; index += 1) {
      const code = text.charCodeAt(at + index);
      const wanted = keyword.charCodeAt(index);
      // Lower case of a letter; other characters stand for themselves.
      if (code !== wanted && !(code >= 65 && code <= 90 && code + 32 === wanted)) return false;
    }
    return true;
  });
}
