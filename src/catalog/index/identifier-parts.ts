/*
 * Words of the names in code: `createRateLimiter` is found by `limiter`, though the index has it as one word.
 */

const hump = /[a-z0-9][A-Z]/;
const name = /[A-Za-z][A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*/g;
const partShape = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
const shortestPart = 3;
const longestName = 80;
const mostKnown = 20_000;

const known = new Map<string, readonly string[]>();

/** The words that one name is made of, in lower case; none where it is one word. */
export function partsOfName(text: string): readonly string[] {
  let parts = known.get(text);
  if (parts === undefined) {
    const isName = text.length <= longestName && hump.test(text);
    const found = isName ? (text.match(partShape) ?? []) : [];
    parts = found.map((part) => part.toLowerCase()).filter(isWord);
    if (known.size >= mostKnown) known.clear();
    known.set(text, parts);
  }
  return parts;
}

/** The words that the names in a text are made of, each once, with a blank between them; mostly there are none. */
export function partsIn(text: string): string {
  if (!hump.test(text)) return "";
  const parts = new Set<string>();
  for (const found of new Set(text.match(name))) {
    for (const part of partsOfName(found)) parts.add(part);
  }
  return [...parts].join(" ");
}

function isWord(part: string): boolean {
  return part.length >= shortestPart;
}
