/** Damages sessions of every agent and reads them in every way there is. */
export function fuzz(options: {
  readonly rounds: number;
  readonly seed: number;
}): Promise<{ readonly faults: number; readonly problems: readonly string[] }>;
