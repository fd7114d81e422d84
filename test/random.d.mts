/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** A number of [0, 1). */
  fraction(): number;
  /** A whole number of [0, below). */
  below(below: number): number;
  /** One of the items. */
  pick<T>(items: readonly T[]): T;
  bytes(count: number): Buffer;
}

/** A generator for one round of a seed, independent of the rounds before it. */
export function seeded(seed: number, round?: number): Random;
