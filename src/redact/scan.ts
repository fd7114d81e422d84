import { assignmentAt, assignmentKeywords } from "./assignments.ts";
import { type Rule, rules } from "./rules.ts";
import type { Span } from "./span.ts";

// All keywords are looked for at once. The last three characters, case aside, hash to a bucket; a bucket
// that is not empty names the probes whose keyword may stand there, and only those are tried. Ordinary
// text costs one table look-up a character.

/** Tries one kind of secret where its keyword may stand. */
interface Probe {
  /** Its place among all probes. */
  readonly index: number;
  at(text: string, place: Place): Answer;
}

/** Where a keyword may stand, and from where its probe looks on. */
interface Place {
  readonly at: number;
  readonly from: number;
}

/** What a probe found, and from where it wants to look on. */
interface Answer {
  readonly secret: Span | undefined;
  readonly next: number;
}

const gram = 3;
const bitsPerCharacter = 5;
const bucketMask = (1 << (gram * bitsPerCharacter)) - 1;

/** Puts one more character into the hash; the one three before it falls out. */
function rolled(hash: number, code: number): number {
  return ((hash << bitsPerCharacter) ^ (code | 0x20)) & bucketMask;
}

const probes: Probe[] = [];
/** Lists of probes; a bucket holds the place of its list, and 0 where it is empty. */
const lists: Probe[][] = [[]];
const buckets = new Uint16Array(bucketMask + 1);
for (const rule of rules) addProbe(rule.keywords, ruleProbe(rule));
addProbe(assignmentKeywords, assignmentProbe);

function addProbe(keywords: readonly string[], at: Probe["at"]): void {
  const probe = { index: probes.length, at };
  probes.push(probe);
  for (const keyword of keywords) {
    let hash = 0;
    for (let index = 0; index < gram; index += 1) hash = rolled(hash, keyword.charCodeAt(index));
    if (buckets[hash] === 0) buckets[hash] = lists.push([]) - 1;
    const list = lists[buckets[hash]!]!;
    if (!list.includes(probe)) list.push(probe);
  }
}

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
    from ??= new Int32Array(probes.length);
    for (const probe of lists[bucket]!) {
      const { index } = probe;
      if (at < from[index]!) continue;
      const { secret, next } = probe.at(text, { at, from: from[index]! });
      from[index] = next;
      if (secret !== undefined) hits.push({ index, secret });
    }
  }
  // Where two fit the same place, the first of the rules names it.
  hits.sort((a, b) => a.index - b.index);
  for (const { secret } of hits) found.push(secret);
}

function ruleProbe({ name, shape, reach = 0, needs, accept }: Rule): Probe["at"] {
  return (text, { at, from }) => {
    for (let start = Math.max(from, at - reach); start <= at; start += 1) {
      shape.lastIndex = start;
      const match = shape.exec(text);
      if (match === null) continue;
      const secret = match[1] ?? match[0];
      const end = start + match[0].length;
      const isOne = (needs?.test(text) ?? true) && (accept?.(secret) ?? true);
      const span = { start: end - secret.length, end, rule: name };
      return { secret: isOne ? span : undefined, next: end };
    }
    return { secret: undefined, next: from };
  };
}

function assignmentProbe(text: string, { at, from }: Place): Answer {
  return assignmentAt(text, at) ?? { secret: undefined, next: from };
}
