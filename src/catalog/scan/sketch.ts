import { rankOf, tellingRank } from "./character-rank.ts";
import { isPlain, type Needle } from "./needle.ts";

/*
 * A sketch tells of a text what it surely does not have: a bit is set for each three plain characters in a row
 * that begin with a rare one. A needle with three of which a bit is missing is not there. That is little (a
 * 2000th of a session) and no help for plain words, which every session has; but what people look for letter by
 * letter, an id, a version, a code of an error, seldom consists of those.
 */

/** The sketch of some text of a session, which has whole events only. */
export interface Sketch {
  /** How much text it stands for. */
  readonly chars: number;
  readonly bits: Uint8Array;
}

/** In bytes, each twice the one before. */
const sizes = [80, 160, 320] as const;
const largest = sizes[2];
/** More text would set so many bits that they tell nothing. */
const charsPerByte = 1280;

const largestBits = largest * 8;
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
/** A number for each character a needle can have, the same for both cases of a letter; 0 for all others. */
const numbers = new Uint8Array(256);
for (const [code, character] of ascii.entries()) {
  if (isPlain(character)) numbers[code] = character.toLowerCase().charCodeAt(0);
}
const rareCodes = ascii.flatMap((character, code) =>
  /[A-Za-z0-9]/.test(character) && rankOf(character) >= tellingRank ? code : [],
);
const isRare = new Uint8Array(256);
/** The same for two bytes as one number, whichever comes first on this machine. */
const hasRare = new Uint8Array(65536);
for (const code of rareCodes) {
  isRare[code] = 1;
  for (let other = 0; other < 256; other += 1) {
    hasRare[code * 256 + other] = 1;
    hasRare[other * 256 + code] = 1;
  }
}

/** Makes the sketches of a session. */
export class Sketcher {
  readonly #done: Sketch[] = [];
  #bits = new Uint8Array(largest);
  #chars = 0;

  /** Adds the text of some whole events, in parts; every three characters in a row are in one of these. */
  add(...parts: readonly Uint8Array[]): void {
    const chars = parts.reduce((sum, { length }) => sum + length, 0);
    if (this.#chars > 0 && this.#chars + chars > largest * charsPerByte) this.#close();
    this.#chars += chars;
    for (const bytes of parts) mark(this.#bits, bytes);
  }

  /** The sketches of everything added. */
  end(): readonly Sketch[] {
    if (this.#chars > 0) this.#close();
    return this.#done;
  }

  #close(): void {
    const size = sizes.find((bytes) => bytes * charsPerByte >= this.#chars) ?? largest;
    this.#done.push({ chars: this.#chars, bits: foldedTo(this.#bits, size) });
    this.#bits = new Uint8Array(largest);
    this.#chars = 0;
  }
}

/** One sketch for the text of two; undefined where that would be too much for the size of the first. */
export function joined(a: Sketch, b: Sketch): Sketch | undefined {
  const chars = a.chars + b.chars;
  if (chars > a.bits.length * charsPerByte || b.bits.length < a.bits.length) return undefined;
  const bits = foldedTo(b.bits, a.bits.length);
  for (const [at, byte] of a.bits.entries()) bits[at]! |= byte;
  return { chars, bits };
}

/** A sketch laid over itself: a bit has its place in a smaller one too. */
function foldedTo(bits: Uint8Array, size: number): Uint8Array {
  const into = new Uint8Array(size);
  for (const [at, byte] of bits.entries()) into[at % size]! |= byte;
  return into;
}

/** What a sketch must have for a needle; nothing where the needle has nothing rare. */
export function bitsFor({ text }: Needle): readonly number[] {
  const bytes = Buffer.from(text, "latin1");
  const marks: number[] = [];
  for (let at = 0; at < bytes.length - 2; at += 1) {
    if (isRare[bytes[at]!] === 1) marks.push(bitOf(bytes, at));
  }
  return marks;
}

/** Whether the text of a sketch may have what a needle's marks stand for. */
export function mayHave(bits: Uint8Array, marks: readonly number[]): boolean {
  return marks.every((mark) => {
    const bit = mark % (bits.length * 8);
    return (bits[bit >> 3]! & (1 << (bit & 7))) !== 0;
  });
}

/**
 * Sets the bits of a text. This runs over everything in every session, and looks at two bytes at a time: that is
 * twice as fast as one by one.
 */
function mark(bits: Uint8Array, text: Uint8Array): void {
  const bytes = text.byteOffset % 2 === 0 ? text : Uint8Array.from(text);
  const pairs = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
  const rarePairs = hasRare;
  for (let pair = 0; pair < pairs.length; pair += 1) {
    if (rarePairs[pairs[pair]!] === 0) continue;
    markAt(bits, bytes, pair * 2);
    markAt(bits, bytes, pair * 2 + 1);
  }
}

function markAt(bits: Uint8Array, bytes: Uint8Array, at: number): void {
  if (isRare[bytes[at]!] === 0 || at + 2 >= bytes.length) return;
  if (numbers[bytes[at + 1]!] === 0 || numbers[bytes[at + 2]!] === 0) return;
  const bit = bitOf(bytes, at);
  bits[bit >> 3]! |= 1 << (bit & 7);
}

/** The bit of the three characters at a place, in a sketch of the largest size. */
function bitOf(bytes: Uint8Array, at: number): number {
  const first = numbers[bytes[at]!]!;
  const second = numbers[bytes[at + 1]!]!;
  const all = (first << 14) | (second << 7) | numbers[bytes[at + 2]!]!;
  return ((Math.imul(all, 0x9e3779b1) >>> 16) * largestBits) >>> 16;
}
