/** What a storm did, and what it found. */
export interface StormTotals {
  readonly faults: number;
  readonly acknowledged: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

/** Hits processes that work on one store with faults, and checks what is left. */
export function storm(options: {
  readonly faults: number;
  readonly seed: number;
  readonly processes?: number;
  /** Without what only some users may do: namespaces and a small disk. */
  readonly plain?: boolean;
}): Promise<StormTotals>;
