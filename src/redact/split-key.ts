import type { Span } from "./span.ts";
import { isRandom, looksLikeWords } from "./variety.ts";

// What stands between two pieces of a key: a line break with what line numbers, diffs and quotations put after it, the end
// of one string and the beginning of the next.
const joint =
  /(?:\\?["'`][ \t]{0,4}(?:[+.,&]|\.\.)?[ \t]{0,4}(?:\\?\r?\n|\\n)?[ \t]{0,20}(?:[+.,&]|\.\.)?[ \t]{0,4}\\?["'`]|\\?[ \t]{0,4}(?:\r?\n|\\r?\\?n)(?:[ \t]{0,20}\d{1,6}[→:|\t])?[ \t+>|]{0,40})(?=[A-Za-z0-9_])/y;
const run = /[A-Za-z0-9_.+/=-]{1,200}/y;
const mostPieces = 8;
const mostChars = 400;

/** The pieces of a key that is split where it begins here; none where they do not make one. */
export function assembled(
  text: string,
  {
    at,
    rule,
    isKey,
  }: { readonly at: number; readonly rule: string; readonly isKey: (made: string) => boolean },
): readonly Span[] {
  const pieces: Span[] = [];
  let made = "";
  for (let from = at; pieces.length < mostPieces && made.length < mostChars; ) {
    const piece = pieceAt(text, from);
    if (piece === undefined) break;
    pieces.push({ ...piece, rule });
    made += text.slice(piece.start, piece.end);
    if (pieces.length > 1 && isKey(made) && isRandom(made.slice(4))) {
      const rest = continued(text, { from: piece.end, rule });
      return [...pieces, ...rest];
    }
    const next = jointEnd(text, piece.end);
    if (next === undefined) break;
    from = next;
  }
  return [];
}

/** What of a key goes on behind a line break or in the next string: only what can be nothing else. */
export function continued(
  text: string,
  { from, rule }: { readonly from: number; readonly rule: string },
): readonly Span[] {
  const pieces: Span[] = [];
  for (let at = jointEnd(text, from); at !== undefined && pieces.length < mostPieces; ) {
    const piece = pieceAt(text, at);
    if (piece === undefined) break;
    const words = text.slice(piece.start, piece.end);
    if (!isRandom(words) || looksLikeWords(words) || /[=./]/.test(words.slice(0, -2))) break;
    pieces.push({ ...piece, rule });
    at = jointEnd(text, piece.end);
  }
  return pieces;
}

function jointEnd(text: string, at: number): number | undefined {
  joint.lastIndex = at;
  return joint.test(text) ? joint.lastIndex : undefined;
}

function pieceAt(text: string, at: number): { start: number; end: number } | undefined {
  run.lastIndex = at;
  return run.test(text) ? { start: at, end: run.lastIndex } : undefined;
}
