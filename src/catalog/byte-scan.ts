import { closeSync, openSync, readSync } from "node:fs";
import { limits } from "../base/limits.ts";

/*
 * A look at the bytes of a file before anything is decoded. Programs that write JSON escape quotes, slashes,
 * controls, signs of HTML and what is beyond ASCII, never plain letters, digits and blanks; so a text that
 * is to be found has its plain parts in the bytes as they are, and a file without them need not be read.
 */

/** What the bytes of a file must have. */
export interface Needle {
  /** Plain characters only. */
  readonly text: string;
  readonly caseSensitive: boolean;
}

/** A file to look into; one that has any of `unless` says more than its bytes and always counts as found. */
export interface ScanTask {
  readonly files: readonly string[];
  readonly unless: readonly string[];
}

const plainRun = /[A-Za-z0-9 _.,:;=+*()[\]{}!?@#$%^~|-]+/g;
const shortest = 3;

/** The longest plain part of a text; undefined where none is long enough to tell files apart. */
export function needleIn(text: string, caseSensitive: boolean): Needle | undefined {
  const runs = text.match(plainRun) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
  return longest.length < shortest ? undefined : { text: longest, caseSensitive };
}

/** The longest plain part every match of a pattern must have; undefined where that is not plain to see. */
export function needleInPattern(source: string, caseSensitive: boolean): Needle | undefined {
  if (/[|()[\]\\]/.test(source)) return undefined;
  // The character before a quantifier may be missing.
  const sure = source.replace(/.[?*]|.\{[^}]*\}/g, "\n").replace(/[+^$.]/g, "\n");
  const runs = sure.match(/[A-Za-z0-9 _,:;=!@#%~-]+/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
  return longest.length < shortest ? undefined : { text: longest, caseSensitive };
}

// The system fills a larger one more slowly than it is looked through.
const chunk = Buffer.allocUnsafeSlow(limits.scanBytes);

/** Whether a task's files may hold the needle. A file that cannot be opened may. */
export function mayHold(task: ScanTask, needle: Needle): boolean {
  const find = finderOf(needle);
  const unless = task.unless.map((text) => finderOf({ text, caseSensitive: true }));
  return task.files.some((file) => holds(file, [find, ...unless]));
}

function holds(file: string, wanted: readonly Find[]): boolean {
  let fd: number;
  try {
    fd = openSync(file, "r");
  } catch {
    return true;
  }
  try {
    // The end of one piece is kept in front of the next: what is looked for may lie across.
    let kept = 0;
    for (;;) {
      const taken = readSync(fd, chunk, kept, chunk.length - kept, null);
      if (taken === 0) return false;
      const filled = kept + taken;
      const piece = chunk.subarray(0, filled);
      for (const find of wanted) if (find(piece)) return true;
      // A short read is most often the end of the file, and the next one tells.
      kept = Math.min(overlap, filled);
      chunk.copyWithin(0, filled - kept, filled);
    }
  } catch {
    return true;
  } finally {
    closeSync(fd);
  }
}

const overlap = 512;

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

/**
 * Looks for a short piece that begins with the rarest byte, in each way it can be written: the system finds
 * a byte far quicker than anything here compares texts.
 */
function finderFor(text: string, caseSensitive: boolean): Find {
  const wanted = caseSensitive ? [text] : [text.toLowerCase(), text.toUpperCase()];
  const ways = wanted.map((way) => Buffer.from(way, "latin1"));
  const from = rarestIn(text);
  const pieces = piecesAt(text, from, caseSensitive);
  const isAt = (bytes: Buffer, start: number): boolean => {
    for (let at = 0; at < text.length; at += 1) {
      const byte = bytes[start + at];
      if (!ways.some((way) => way[at] === byte)) return false;
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

/** Characters of sessions, the common ones first; what is not here is rare. */
const byFrequency = ' etaoinsrlcdhupm",fg.:w0b1y2_-{}=()v3k;45x6789';

/** Where in a text its rarest character stands; never at its end, so that another one follows. */
function rarestIn(text: string): number {
  let rarest = 0;
  let rank = -1;
  for (let at = 0; at < text.length - 1; at += 1) {
    const found = byFrequency.indexOf(text[at]!.toLowerCase());
    const its = found < 0 ? byFrequency.length : found;
    if (its <= rank) continue;
    rank = its;
    rarest = at;
  }
  return rarest;
}

const pieceBytes = 6;
/** Every way is looked for by itself, so a piece ends before there are more of them. */
const mostWays = 4;

/** The piece of a text that begins at a place, in each way its letters can be written. */
function piecesAt(text: string, from: number, caseSensitive: boolean): readonly Buffer[] {
  let pieces = [""];
  for (const character of text.slice(from, from + pieceBytes)) {
    const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
    const ways = caseSensitive || lower === upper ? [character] : [lower, upper];
    if (pieces.length * ways.length > mostWays) break;
    pieces = ways.flatMap((way) => pieces.map((piece) => piece + way));
  }
  return pieces.map((piece) => Buffer.from(piece, "latin1"));
}
