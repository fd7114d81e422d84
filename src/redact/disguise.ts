import type { Span } from "./span.ts";

// What programs write in place of a character, what nobody sees, and what stands between two strings that a program joins:
// without them a text is looked through once more.
const disguise =
  /\\u00([2-7][0-9a-fA-F])|\\u\{([2-7][0-9a-fA-F])\}|\\x([2-7][0-9a-fA-F])|%([2-7][0-9a-fA-F])|&#x([2-7][0-9a-fA-F]);|&#(\d{2,3});|&(quot|apos|amp|lt|gt);|\\([nrt"'\\/])|([\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff])|(["'`])[ \t]{0,4}(?:(?:\+|\.\.?|&|<>|\|\|)[ \t]{0,4}(?:\\?\r?\n[ \t]{0,40})?|\\?\r?\n[ \t]{0,40}(?:(?:\+|\.\.?|&)[ \t]{0,4})?)\10/g;
const entities: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: "&",
  lt: "<",
  gt: ">",
};
const breaks: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
/** JSON in JSON in JSON: deeper, nobody reads it. */
const mostRounds = 3;

/** A text without its disguises, and where each of its stretches stands in the text it was made from. */
export interface Undisguised {
  readonly text: string;
  /** The span of the given text that a span of this one was made from. */
  source(span: Span): Span;
}

/** The text as it reads once escapes are resolved, layer by layer; none where there are no escapes. */
export function* undisguised(text: string): Generator<Undisguised> {
  let layer: Undisguised = { text, source: (span) => span };
  for (let round = 0; round < mostRounds; round += 1) {
    disguise.lastIndex = 0;
    if (!disguise.test(layer.text)) return;
    layer = peeled(layer);
    yield layer;
  }
}

function peeled(outer: Undisguised): Undisguised {
  const starts: number[] = [0];
  const sources: number[] = [0];
  const pieces: string[] = [];
  const { text } = outer;
  let at = 0;
  let length = 0;
  // A stretch of plain text is one piece, a resolved escape is another.
  const add = (piece: string, until: number) => {
    pieces.push(piece);
    length += piece.length;
    starts.push(length);
    sources.push(until);
    at = until;
  };
  disguise.lastIndex = 0;
  for (let match = disguise.exec(text); match !== null; match = disguise.exec(text)) {
    if (match.index > at) add(text.slice(at, match.index), match.index);
    add(meant(match), match.index + match[0].length);
  }
  if (at < text.length) add(text.slice(at), text.length);
  const pieceOf = (index: number) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const source = (span: Span) => {
    const first = pieceOf(span.start);
    const last = pieceOf(span.end - 1);
    const isPlain = (piece: number) =>
      starts[piece + 1]! - starts[piece]! === sources[piece + 1]! - sources[piece]!;
    const start = sources[first]! + (isPlain(first) ? span.start - starts[first]! : 0);
    const end = isPlain(last) ? sources[last]! + span.end - starts[last]! : sources[last + 1]!;
    return outer.source({ ...span, start, end });
  };
  return { text: pieces.join(""), source };
}

function meant(match: RegExpExecArray): string {
  const [, unicode, braced, byte, percent, hexEntity, decimal, entity, escaped] = match;
  const hex = unicode ?? braced ?? byte ?? percent ?? hexEntity;
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  if (entity !== undefined) return entities[entity]!;
  return escaped === undefined ? "" : (breaks[escaped] ?? escaped);
}
