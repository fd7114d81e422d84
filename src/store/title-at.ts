import { isBlank } from "../model/text.ts";

/** What escapes of JSON stand for, by the character behind the backslash; 0 where that is for a parser. */
const escapes = new Uint8Array(256);
for (const [letter, meant] of ['""', "//", "\\\\", "b\b", "f\f", "n\n", "r\r", "t\t"]) {
  escapes[letter!.charCodeAt(0)] = meant!.charCodeAt(0);
}
const quote = 0x22;
const backslash = 0x5c;
const blank = 0x20;
const lastAscii = 0x7e;
const most = 1024;
/** Letters that stand for themselves. */
const isPlain = Uint8Array.from({ length: 256 }, (_, code) => {
  return code > blank && code <= lastAscii && code !== quote && code !== backslash ? 1 : 0;
});

let kept: Buffer | undefined;

/** Where the bytes of a title are put together; made with the first, for whoever loads this may never make one. */
function titleRoom(): Buffer {
  kept ??= Buffer.allocUnsafeSlow(4 * (most + 2));
  return kept;
}

/**
 * `oneLine` of the JSON string whose bytes begin at an index, in one go over them: a list makes a thousand of these.
 * Undefined where an escape or a broken letter is for a parser, or where so much of the text does not tell it.
 */
export function titleAt(
  bytes: Buffer,
  { from, to }: { readonly from: number; readonly to: number },
  chars: number,
): string | undefined {
  if (chars > most) return undefined;
  const room = titleRoom();
  let length = 0;
  let taken = 0;
  /** Where the title ends if the text turns out to be longer. */
  let cutAt = -1;
  let encoding: "latin1" | "utf8" = "latin1";
  let isGap = false;
  for (let at = from; at < to; at += 1) {
    let code = bytes[at]!;
    if (code === quote) return room.toString(encoding, 0, length);
    if (code === backslash) {
      at += 1;
      code = escapes[bytes[at]!]!;
      if (code === 0) return undefined;
    }
    let width = 1;
    if (code > lastAscii) {
      width = widthOf(code);
      code = at + width > to ? -1 : letterAt(bytes, at, width);
      if (code < 0) return undefined;
    }
    if (code <= blank || (code > lastAscii && isBlank(code))) {
      isGap = length > 0;
      at += width - 1;
      continue;
    }
    if (isGap) {
      room[length] = blank;
      length += 1;
      taken += 1;
      isGap = false;
      if (taken === chars - 1) cutAt = length;
    }
    if (taken > chars) break;
    if (width === 1) room[length] = code;
    else {
      encoding = "utf8";
      for (let index = 0; index < width; index += 1) room[length + index] = bytes[at + index]!;
      at += width - 1;
    }
    length += width;
    // Length counts as strings count it.
    taken += width === 4 ? 2 : 1;
    if (taken === chars - 1) cutAt = length;
    // Most of a text are plain letters one after the other.
    const end = Math.min(to, at + 1 + chars - taken);
    const began = at;
    while (at + 1 < end && isPlain[bytes[at + 1]!] === 1) {
      at += 1;
      room[length] = bytes[at]!;
      length += 1;
    }
    if (taken < chars - 1 && taken + at - began >= chars - 1)
      cutAt = length - (taken + at - began - (chars - 1));
    taken += at - began;
    if (taken > chars) break;
  }
  return taken > chars && cutAt >= 0
    ? `${room.toString(encoding, 0, cutAt).trimEnd()}…`
    : undefined;
}

function widthOf(first: number): number {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** The letter of so many bytes in UTF-8; negative where they are none. */
function letterAt(bytes: Buffer, at: number, width: number): number {
  const first = bytes[at]!;
  if (width === 1) return first;
  if (first < 0xc2 || first > 0xf4) return -1;
  let letter = first & (0x7f >> width);
  for (let index = 1; index < width; index += 1) {
    const next = bytes[at + index]!;
    if ((next & 0xc0) !== 0x80) return -1;
    letter = (letter << 6) | (next & 0x3f);
  }
  const isTooWide = (width === 3 && letter < 0x800) || (width === 4 && letter < 0x10000);
  const isNone = (letter >= 0xd800 && letter <= 0xdfff) || letter > 0x10ffff;
  return isTooWide || isNone ? -1 : letter;
}
