import type { Span } from "./damage.ts";

/** Where the elements of a list lie in a printed file: they begin at its one level of indentation. */
export function printedSpans(indent: string) {
  return (original: Buffer): Span[] => {
    const text = original.toString("latin1");
    const starts = [...text.matchAll(new RegExp(`^${indent}\\{`, "gm"))].map(
      (match) => match.index,
    );
    const ends = starts.map((start) => text.indexOf(`\n${indent}}`, start) + indent.length + 2);
    const spans = starts.map((start, index) => ({ ordinal: index + 1, start, end: ends[index]! }));
    // What stands before and behind the list is the header's.
    const outside = [
      { ordinal: 0, start: 0, end: starts[0]! },
      { ordinal: 0, start: ends.at(-1)!, end: original.length },
    ];
    return [...outside, ...spans];
  };
}
