/** The built hook. */
export const hook: string;

/** One case: the agent and the bytes of its payload. */
export function fuzzCase(seed: number): { readonly agent: string; readonly input: Buffer };

/** Runs the hook once; resolves with how it ended. */
export function runHook(options: {
  readonly agent: string;
  readonly input: string | Buffer;
  readonly home: string;
  readonly keepOpen?: boolean;
}): Promise<{
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}>;

/** Gives `rounds` cases to the hook; problems are exits other than 0, output that is no JSON, and broken logs. */
export function fuzz(options: {
  readonly rounds: number;
  readonly seed: number;
  readonly jobs: number;
}): Promise<{
  readonly rounds: number;
  readonly printed: number;
  readonly problems: readonly string[];
}>;
