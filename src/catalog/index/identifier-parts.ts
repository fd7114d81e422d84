import type { EventText } from "./event-text.ts";

/*
 * Words of the names in code: `createRateLimiter` is found by `limiter`, though the index has it as one word.
 */

const hump = /[a-z0-9][A-Z]/;
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

/**
 * The words that the names in a text are made of, each once, with a blank between them; mostly there are none. What tools
 * put out is left alone: it is long, and the names in it that matter are called by others.
 */
export function partsIn({ kind }: Pick<EventText, "kind">, words: string): string {
  if (kind === "tool_result") return "";
  const humps = /[a-z0-9][A-Z]/g;
  let parts: Set<string> | undefined;
  for (let found = humps.exec(words); found !== null; found = humps.exec(words)) {
    let start = found.index;
    let end = start + 2;
    while (start > 0 && isOfName(words.charCodeAt(start - 1))) start -= 1;
    while (end < words.length && isOfName(words.charCodeAt(end))) end += 1;
    parts ??= new Set();
    for (const part of partsOfName(words.slice(start, end))) parts.add(part);
    humps.lastIndex = end;
  }
  return parts === undefined ? "" : [...parts].join(" ");
}

function isOfName(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

function isWord(part: string): boolean {
  return part.length >= shortestPart;
}
