/** A generator for one round of a seed, independent of the rounds before it (mulberry32). */
export function seeded(seed, round = 0) {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(round + 1, 0x85ebca6b)) >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (limit) => Math.floor(fraction() * limit);
  return {
    fraction,
    below,
    pick: (items) => items[below(items.length)],
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  };
}
