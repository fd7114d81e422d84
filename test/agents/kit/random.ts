/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** A whole number of [0, below). */
  below(below: number): number;
  /** One of the items. */
  pick<T>(items: readonly T[]): T;
  bytes(count: number): Buffer;
}

/** A generator for one round of a seed, independent of the rounds before it (mulberry32). */
export function seeded(seed: number, round = 0): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(round + 1, 0x85ebca6b)) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: (items) => items[below(items.length)]!,
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  };
}
