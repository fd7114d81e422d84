/** Kills a writing process at random instants and checks what is left. */
export function storm(options: {
  readonly rounds: number;
  readonly seed: number;
  readonly jobs: number;
}): Promise<{
  readonly rounds: number;
  readonly acknowledged: number;
  readonly torn: number;
  readonly lost: number;
  readonly problems: readonly string[];
}>;
