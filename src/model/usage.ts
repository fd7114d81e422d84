/** Tokens of one model message, counted as its provider counts them. */
export interface Usage {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
  /** In US dollars, where the writer knew it. */
  readonly cost?: number;
}

/** The sum of two usages; a field neither has stays absent. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Record<string, number> = {};
  for (const key of ["input", "output", "cacheRead", "cacheWrite", "reasoning", "cost"] as const) {
    const left = a[key];
    const right = b[key];
    if (left !== undefined || right !== undefined) sum[key] = (left ?? 0) + (right ?? 0);
  }
  return sum;
}

/** How full the context was when the message was made. */
export function contextTokens(usage: Usage): number {
  return (
    (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0) + (usage.output ?? 0)
  );
}
