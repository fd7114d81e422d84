import { isBlank } from "../model/text.ts";

/** What escapes of JSON stand for, by the character behind the backslash; the others are for a parser. */
const escapes: Readonly<Record<number, number>> = {
  34: 0x22, // "
  47: 0x2f, // /
  92: 0x5c, // \
  98: 0x08, // b
  102: 0x0c, // f
  110: 0x0a, // n
  114: 0x0d, // r
  116: 0x09, // t
};
const quote = 0x22;
const backslash = 0x5c;
const blank = 0x20;
const lastAscii = 0x7e;
const most = 1024;

/** Where the characters of a title are put together, in one byte each and in two. */
interface Rooms {
  readonly narrow: Buffer;
  readonly wide: Uint16Array;
  readonly wideBytes: Buffer;
}

let kept: Rooms | undefined;

/** Made with the first title: whoever loads this may never make one. */
function rooms(): Rooms {
  if (kept === undefined) {
    const wide = new Uint16Array(most + 1);
    const narrow = Buffer.allocUnsafeSlow(most + 1);
    kept = { narrow, wide, wideBytes: Buffer.from(wide.buffer) };
  }
  return kept;
}

/**
 * `oneLine` of the JSON string that begins at an index, in one go over its characters: a list makes a thousand of
 * these. Undefined where an escape is for a parser, or where so much of the text does not tell it.
 */
export function titleAt(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  chars: number,
): string | undefined {
  if (chars > most) return undefined;
  const { narrow, wide } = rooms();
  let length = 0;
  let widest = 0;
  let isGap = false;
  for (let at = from; at < to; at += 1) {
    let code = text.charCodeAt(at);
    if (code === quote) return made(length, widest);
    if (code === backslash) {
      at += 1;
      code = escapes[text.charCodeAt(at)] ?? Number.NaN;
      if (Number.isNaN(code)) return undefined;
    }
    if (code <= blank || (code > lastAscii && isBlank(code))) {
      isGap = length > 0;
      continue;
    }
    if (isGap) {
      narrow[length] = blank;
      wide[length] = blank;
      length += 1;
      isGap = false;
    }
    if (length > chars) break;
    narrow[length] = code;
    wide[length] = code;
    length += 1;
    if (code > widest) widest = code;
    if (length > chars) break;
  }
  return length > chars ? `${made(chars - 1, widest).trimEnd()}…` : undefined;
}

/** The characters so far; those of one byte each are held in one. */
function made(length: number, widest: number): string {
  const { narrow, wideBytes } = rooms();
  if (widest <= 0xff) return narrow.toString("latin1", 0, length);
  return wideBytes.toString("utf16le", 0, 2 * length).toWellFormed();
}
