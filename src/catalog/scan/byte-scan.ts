import { readSync } from "node:fs";
import type { Telling } from "../../agents/contract.ts";
import { limits } from "../../base/limits.ts";
import { readOpen } from "../../base/open-file.ts";
import { newline } from "../../jsonl/line.ts";
import { rankOf, rareRank } from "./character-rank.ts";
import type { Needle } from "./needle.ts";

/** Files to look into; one that says more than its bytes always counts as found. */
export interface ScanTask {
  readonly files: readonly string[];
  readonly unless?: Telling;
}

const overlap = 512;
const chunk = Buffer.allocUnsafeSlow(overlap + limits.scanBytes);

/** Whether a task's files may hold the needle. A file that cannot be opened may. */
export function mayHold({ files, unless }: ScanTask, needle: Needle): boolean {
  const find = finderOf(needle);
  const tellers = unless?.texts.map((text) => finderOf({ text, caseSensitive: true })) ?? [];
  const lines = unless?.lines ?? Number.POSITIVE_INFINITY;
  return files.some((file) => holds(file, find, { tellers, lines }));
}

function holds(
  file: string,
  find: Find,
  unless: { readonly tellers: readonly Find[]; readonly lines: number },
): boolean {
  const look = (fd: number): boolean => {
    // The end of one piece is kept in front of the next: what is looked for may lie across. Each is read to the
    // same place: where it begins in its page decides how quickly it is copied.
    let kept = 0;
    let linesLeft = unless.lines;
    for (;;) {
      const taken = readSync(fd, chunk, overlap, chunk.length - overlap, null);
      if (taken === 0) return false;
      const piece = chunk.subarray(overlap - kept, overlap + taken);
      if (find(piece)) return true;
      if (linesLeft > 0) {
        for (const tells of unless.tellers) if (tells(piece)) return true;
        linesLeft = linesAfter(piece.subarray(kept), linesLeft);
      }
      // A short read is most often the end of the file, and the next one says.
      kept = Math.min(overlap, piece.length);
      chunk.copyWithin(overlap - kept, overlap + taken - kept, overlap + taken);
    }
  };
  return readOpen(file, look, true);
}

/** How many lines are still to come after those that end in a piece. */
function linesAfter(piece: Buffer, lines: number): number {
  if (lines === Number.POSITIVE_INFINITY) return lines;
  let left = lines;
  for (let at = piece.indexOf(newline); at >= 0 && left > 0; at = piece.indexOf(newline, at + 1)) {
    left -= 1;
  }
  return left;
}

type Find = (bytes: Buffer) => boolean;

const finders = new Map<string, Find>();

function finderOf({ text, caseSensitive }: Needle): Find {
  const key = `${caseSensitive} ${text}`;
  let find = finders.get(key);
  if (find === undefined) {
    find = finderFor(text.slice(0, overlap), caseSensitive);
    finders.set(key, find);
  }
  return find;
}

function finderFor(text: string, caseSensitive: boolean): Find {
  const from = rarestIn(text);
  if (caseSensitive) return byPieces(text, from, { pieces: [text.slice(from, from + pieceChars)] });
  if (rankOf(text[from]!) < rareRank) return byLastLetter(text.toLowerCase());
  return byPieces(text.toLowerCase(), from, { pieces: piecesAt(text, from), fold: true });
}

/** Where in a text its rarest character stands; never at its end, so that another one follows. */
function rarestIn(text: string): number {
  let rarest = 0;
  for (let at = 1; at < text.length - 1; at += 1) {
    if (rankOf(text[at]!) > rankOf(text[rarest]!)) rarest = at;
  }
  return rarest;
}

/**
 * Looks for short pieces that begin with the rarest byte, each by itself: the system finds a byte far quicker
 * than anything here compares texts.
 */
function byPieces(
  text: string,
  from: number,
  options: { readonly pieces: readonly string[]; readonly fold?: boolean },
): Find {
  const wanted = Buffer.from(text, "latin1");
  const pieces = options.pieces.map((piece) => Buffer.from(piece, "latin1"));
  const isAt = (bytes: Buffer, start: number): boolean => {
    for (let at = 0; at < wanted.length; at += 1) {
      const byte = bytes[start + at]!;
      if ((options.fold === true ? folded[byte] : byte) !== wanted[at]) return false;
    }
    return true;
  };
  return (bytes) => {
    for (const piece of pieces) {
      for (let at = bytes.indexOf(piece, from); at >= 0; at = bytes.indexOf(piece, at + 1)) {
        if (isAt(bytes, at - from)) return true;
      }
    }
    return false;
  };
}

const pieceChars = 6;
/** Every way to write a piece is looked for by itself, so it ends before there are more of them. */
const mostWays = 4;

/** The piece of a text that begins at a place, in each way its letters can be written. */
function piecesAt(text: string, from: number): readonly string[] {
  let pieces = [""];
  for (const character of text.slice(from, from + pieceChars)) {
    const ways = [...new Set([character.toLowerCase(), character.toUpperCase()])];
    if (pieces.length * ways.length > mostWays) break;
    pieces = ways.flatMap((way) => pieces.map((piece) => piece + way));
  }
  return pieces;
}

/** Bytes with capital letters as small ones. */
const folded = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);

/** Looks at every n-th byte only and skips by what it finds there (Horspool), letters of either case alike. */
function byLastLetter(text: string): Find {
  const wanted = Buffer.from(text, "latin1");
  const end = wanted.length - 1;
  const skip = new Int32Array(256).fill(wanted.length);
  for (let byte = 0; byte < 256; byte += 1) {
    const at = wanted.lastIndexOf(folded[byte]!, end - 1);
    if (at >= 0 && end > 0) skip[byte] = end - at;
  }
  const lastByte = wanted[end]!;
  return (bytes) => {
    const { length } = bytes;
    for (let at = end; at < length; ) {
      const byte = bytes[at]!;
      if (folded[byte] === lastByte) {
        let back = 1;
        while (back <= end && folded[bytes[at - back]!] === wanted[end - back]) back += 1;
        if (back > end) return true;
      }
      at += skip[byte]!;
    }
    return false;
  };
}
