import type { Bracket } from "./state.ts";

/** From which share of the window left each bracket begins, in percent; what is below the last is CRITICAL. */
export interface Thresholds {
  readonly fresh: number;
  readonly moderate: number;
  readonly depleted: number;
  /** How far beyond a threshold the context must recover before the bracket goes up again. */
  readonly hysteresis: number;
}

/** The thresholds unless the settings say otherwise. */
export const defaultThresholds: Thresholds = {
  fresh: 60,
  moderate: 40,
  depleted: 25,
  hysteresis: 5,
};

const worst: readonly Bracket[] = ["FRESH", "MODERATE", "DEPLETED", "CRITICAL"];

/** How much of the window is left, in percent. */
export function percentLeft(context: {
  readonly tokens: number;
  readonly windowTokens: number;
}): number {
  return Math.max(0, Math.min(100, 100 - (100 * context.tokens) / context.windowTokens));
}

/** The bracket of what is left; going down is at once, going up takes a margin, so that it does not flicker. */
export function bracketOf(
  leftPercent: number,
  options: { readonly before?: Bracket; readonly thresholds?: Thresholds } = {},
): Bracket {
  const { before, thresholds = defaultThresholds } = options;
  const plain = plainBracket(leftPercent, thresholds);
  if (before === undefined || worst.indexOf(plain) >= worst.indexOf(before)) return plain;
  const held = plainBracket(leftPercent - thresholds.hysteresis, thresholds);
  return worst.indexOf(held) < worst.indexOf(before) ? held : before;
}

function plainBracket(leftPercent: number, { fresh, moderate, depleted }: Thresholds): Bracket {
  if (leftPercent >= fresh) return "FRESH";
  if (leftPercent >= moderate) return "MODERATE";
  return leftPercent >= depleted ? "DEPLETED" : "CRITICAL";
}
