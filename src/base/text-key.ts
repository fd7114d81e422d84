/**
 * A number of 53 bits for a text: equal texts have equal ones, others practically never. Not against a forger.
 * Node's own hashes take longer to load than most searches do.
 */
export function textKey(text: string): number {
  let high = highStart;
  let low = lowStart;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > lastAscii) return bytesKey(Buffer.from(text));
    high = Math.imul(high ^ code, highFactor);
    low = Math.imul(low ^ code, lowFactor);
  }
  return mixed(high, low);
}

/** The same for bytes: those of a text in UTF-8 have the text's number. */
export function bytesKey(bytes: Uint8Array): number {
  let high = highStart;
  let low = lowStart;
  for (const byte of bytes) {
    high = Math.imul(high ^ byte, highFactor);
    low = Math.imul(low ^ byte, lowFactor);
  }
  return mixed(high, low);
}

const highStart = 0xdeadbeef;
const lowStart = 0x41c6ce57;
const highFactor = 2654435761;
const lowFactor = 1597334677;
const lastAscii = 0x7f;

function mixed(highEnd: number, lowEnd: number): number {
  const high = mix(highEnd, 16) ^ mix(lowEnd, 13);
  const low = mix(lowEnd, 16) ^ mix(high, 13);
  // Zero means that there is no key.
  return 4294967296 * (2097151 & low) + (high >>> 0) || 1;
}

function mix(value: number, shift: 13 | 16): number {
  return Math.imul(value ^ (value >>> shift), shift === 16 ? 2246822507 : 3266489909);
}
