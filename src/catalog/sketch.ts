import { rankOf, tellingRank } from "./character-rank.ts";
import { isPlain, type Needle } from "./needle.ts";

/*
 * A sketch tells of a text what it surely does not have: a bit is set for each three plain characters in a row
 * that begin with a rare one. A needle with three of which a bit is missing is not there. That is little (a
 * 1000th of a session) and no help for plain words, which every session has; but what people look for letter by
 * letter, an id, a version, a code of an error, seldom consists of those.
 */

/** The sketch of some text of a session, which has whole events only. */
export interface Sketch {
  /** How much text it stands for. */
  readonly chars: number;
  readonly bits: Uint8Array;
}

/** In bytes, each twice the one before. */
const sizes = [100, 200, 400] as const;
const largest = sizes[2];
/** More text would set so many bits that they tell nothing. */
const charsPerByte = 1024;

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

/** Text is looked at as bytes, two at a time: that is twice as fast as its characters one by one. */
const room = new Uint16Array(32 * 1024);
const roomBytes = Buffer.from(room.buffer);

/** Makes the sketches of a session, event by event. */
export class Sketcher {
  readonly #done: Sketch[] = [];
  #bits = new Uint8Array(largest);
  #chars = 0;

  /** Adds the text of an event. */
  add(text: string): void {
    if (this.#chars > 0 && this.#chars + text.length > largest * charsPerByte) this.#close();
    this.#chars += text.length;
    // Three that lie across two pieces are in the second. What is not ASCII may look like something else that
    // way, and a bit too many does no harm.
    const most = roomBytes.length;
    for (let from = 0; from < text.length; from += most - 2) {
      const piece = text.length <= most ? text : text.slice(from, from + most);
      markRoom(this.#bits, roomBytes.write(piece, "latin1"));
    }
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
export function marksOf({ text }: Needle): readonly number[] {
  const bytes = Buffer.from(text, "latin1");
  const marks: number[] = [];
  for (let at = 0; at < bytes.length - 2; at += 1) {
    if (isRare[bytes[at]!] === 1) marks.push(markOf(bytes, at));
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

/** Sets the bits of the bytes in the room; this runs over everything in every session. */
function markRoom(bits: Uint8Array, length: number): void {
  const [pairs, rarePairs] = [room, hasRare];
  for (let pair = 0; pair * 2 < length - 2; pair += 1) {
    if (rarePairs[pairs[pair]!] === 0) continue;
    markAt(bits, pair * 2);
    if (pair * 2 + 1 < length - 2) markAt(bits, pair * 2 + 1);
  }
}

function markAt(bits: Uint8Array, at: number): void {
  if (isRare[roomBytes[at]!] === 0) return;
  if (numbers[roomBytes[at + 1]!] === 0 || numbers[roomBytes[at + 2]!] === 0) return;
  const bit = markOf(roomBytes, at);
  bits[bit >> 3]! |= 1 << (bit & 7);
}

/** The bit of the three characters at a place, in a sketch of the largest size. */
function markOf(bytes: Uint8Array, at: number): number {
  const first = numbers[bytes[at]!]!;
  const second = numbers[bytes[at + 1]!]!;
  const all = (first << 14) | (second << 7) | numbers[bytes[at + 2]!]!;
  return ((Math.imul(all, 0x9e3779b1) >>> 16) * largestBits) >>> 16;
}
