/**
 * A number of 53 bits for a text: equal texts have equal ones, others practically never. Not against a forger.
 * Node's own hashes take longer to load than most searches do.
 */
export function textKey(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  // Zero means that there is no key.
  return 4294967296 * (2097151 & low) + (high >>> 0) || 1;
}
