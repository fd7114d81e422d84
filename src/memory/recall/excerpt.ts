import type { FindIn } from "../../catalog/query/snippet.ts";

const edge = /[.!?]\s|\n/g;

/** The sentences of a text around what was looked for, up to so many characters; the whole text if it is short. */
export function excerptOf(
  text: string,
  { find, chars }: { readonly find: FindIn; readonly chars: number },
): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= chars) return { text, isCut: false };
  const places = find(text);
  const first = densest(places, chars);
  const from = sentenceBefore(text, Math.max(0, first - Math.floor(chars / 4)), first);
  const piece = text.slice(from, from + chars).toWellFormed();
  return {
    text: `${from > 0 ? "…" : ""}${piece}${from + chars < text.length ? "…" : ""}`,
    isCut: true,
  };
}

/** Where a window begins that has most different things in it. */
function densest(places: ReturnType<FindIn>, chars: number): number {
  let best = { at: places[0]?.[0] ?? 0, count: 0 };
  for (const [index, [at]] of places.entries()) {
    const things = new Set<number>();
    for (let next = index; next < places.length && places[next]![0] < at + chars / 2; next += 1)
      things.add(places[next]![2]);
    if (things.size > best.count) best = { at, count: things.size };
  }
  return best.at;
}

function sentenceBefore(text: string, from: number, at: number): number {
  if (from === 0) return 0;
  const found = [...text.slice(from, at).matchAll(edge)][0];
  return found === undefined ? from : from + found.index + found[0].length;
}
