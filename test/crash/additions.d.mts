/** Kills the program while it adds, takes back and installs, and checks what one changing command makes of it. */
export function stormAdditions(options: {
  readonly rounds: number;
  readonly seed: number;
  readonly jobs: number;
}): Promise<{
  readonly rounds: number;
  readonly kills: number;
  readonly problems: readonly string[];
}>;
