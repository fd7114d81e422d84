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
const chunk = Buffer.allocUnsafeSlow(limits.chunkBytes);

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
      if (wanted.some((find) => find(piece))) return true;
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

const finders = new WeakMap<Needle, Find>();

function finderOf(needle: Needle): Find {
  let find = finders.get(needle);
  if (find === undefined) {
    const text = needle.text.slice(0, overlap);
    find = needle.caseSensitive ? exact(text) : anyCase(text);
    finders.set(needle, find);
  }
  return find;
}

/** Characters of sessions, the common ones first; what is not here is rare. */
const byFrequency = ' etaoinsrlcdhupm",fg.:w0b1y2_-{}=()v3k;45x6789';

/**
 * Looks for a short piece that begins with the rarest byte: the system finds a byte far quicker than it
 * compares texts.
 */
function exact(text: string): Find {
  const wanted = Buffer.from(text, "latin1");
  let rarest = 0;
  let rank = -1;
  for (const [at, character] of [...text].entries()) {
    const found = byFrequency.indexOf(character);
    const its = found < 0 ? byFrequency.length : found;
    if (its > rank && at <= text.length - 2) {
      rank = its;
      rarest = at;
    }
  }
  const piece = wanted.subarray(rarest, rarest + 6);
  return (bytes) => {
    for (let at = bytes.indexOf(piece, rarest); at >= 0; at = bytes.indexOf(piece, at + 1)) {
      const start = at - rarest;
      if (bytes.compare(wanted, 0, wanted.length, start, start + wanted.length) === 0) return true;
    }
    return false;
  };
}

/** Looks at every n-th byte only and skips by what it finds there (Horspool), letters of either case alike. */
function anyCase(text: string): Find {
  const fold = new Uint8Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    fold[byte] = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
  }
  const wanted = Uint8Array.from(Buffer.from(text, "latin1"), (byte) => fold[byte]!);
  const end = wanted.length - 1;
  const skip = new Int32Array(256).fill(wanted.length);
  for (let byte = 0; byte < 256; byte += 1) {
    const at = wanted.lastIndexOf(fold[byte]!, end - 1);
    if (at >= 0 && end > 0) skip[byte] = end - at;
  }
  const lastByte = wanted[end]!;
  return (bytes) => {
    const { length } = bytes;
    for (let at = end; at < length; ) {
      const byte = bytes[at]!;
      if (fold[byte] === lastByte) {
        let back = 1;
        while (back <= end && fold[bytes[at - back]!] === wanted[end - back]) back += 1;
        if (back > end) return true;
      }
      at += skip[byte]!;
    }
    return false;
  };
}
