export function killStorm(options: {
  readonly rounds: number;
  readonly seed: number;
  readonly folder: string;
}): Promise<{
  readonly acknowledged: number;
  readonly missing: readonly string[];
  readonly left: number;
}>;
export function crowd(options: {
  readonly processes: number;
  readonly each: number;
  readonly folder: string;
}): Promise<{
  readonly stored: number;
  readonly missing: readonly string[];
  readonly left: number;
}>;
