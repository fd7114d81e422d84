/*
 * The one hash that is not against forgers: 53 bits, equal for equal texts and practically never for others.
 * Node's own hashes take longer to load than most searches do.
 */

const highStart = 0xdeadbeef;
const lowStart = 0x41c6ce57;
const highFactor = 2654435761;
const lowFactor = 1597334677;
const lastAscii = 0x7f;

/** The hash of a text, never zero. */
export function hashText(text: string): number {
  let high = highStart;
  let low = lowStart;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > lastAscii) return hashBytes(Buffer.from(text));
    high = Math.imul(high ^ code, highFactor);
    low = Math.imul(low ^ code, lowFactor);
  }
  return mixed(high, low);
}

/** The hash of bytes, never zero: for a text in UTF-8 it is the text's. */
export function hashBytes(bytes: Uint8Array): number {
  let high = highStart;
  let low = lowStart;
  for (const byte of bytes) {
    high = Math.imul(high ^ byte, highFactor);
    low = Math.imul(low ^ byte, lowFactor);
  }
  return mixed(high, low);
}

function mixed(high: number, low: number): number {
  const first = mix(high, 16) ^ mix(low, 13);
  const second = mix(low, 16) ^ mix(first, 13);
  return 4294967296 * (2097151 & second) + (first >>> 0) || 1;
}

function mix(value: number, shift: 13 | 16): number {
  return Math.imul(value ^ (value >>> shift), shift === 16 ? 2246822507 : 3266489909);
}
