/** Kills checkpoints, rewinds, undos and redos so many times; returns what was wrong afterwards. */
export function stormRewinds(options: {
  readonly rounds: number;
  readonly seed: number;
  readonly jobs: number;
}): Promise<{
  readonly rounds: number;
  readonly kills: number;
  readonly settled: number;
  readonly problems: readonly string[];
}>;
