/** A program on a terminal of its own. */
export interface OnTerminal {
  write(keys: string): void;
  kill(signal: string): void;
  resize(columns: number, rows: number): void;
  onData(told: (data: string) => void): void;
  onExit(told: (end: { readonly exitCode: number; readonly signal?: number }) => void): void;
}

export function startOnTerminal(
  file: string,
  args: readonly string[],
  options: {
    readonly columns: number;
    readonly rows: number;
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
): OnTerminal;
