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

/** A usage that is being added up. */
export type MutableUsage = { -readonly [Key in keyof Usage]: Usage[Key] };

const fields = ["input", "output", "cacheRead", "cacheWrite", "reasoning", "cost"] as const;

/** Adds a usage to a sum; a field that neither has stays absent. */
export function addTo(sum: MutableUsage, usage: Usage): void {
  for (const field of fields) {
    const tokens = usage[field];
    if (tokens !== undefined) sum[field] = (sum[field] ?? 0) + tokens;
  }
}

/** How full the context was when the message was made. */
export function contextTokens(usage: Usage): number {
  return (
    (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0) + (usage.output ?? 0)
  );
}
