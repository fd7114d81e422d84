import type { ContextLook } from "../../../bridge/state/look.ts";
import type { Colours } from "../terminal/colours.ts";

/** Bracket, percent and tokens in a few words. */
export function contextText(
  { bracket, leftPercent, context }: ContextLook,
  colours: Colours,
): string {
  const paint =
    bracket === "FRESH" ? colours.green : bracket === "CRITICAL" ? colours.red : colours.yellow;
  const guessed = context.from === "estimate" ? " (estimated)" : "";
  return `${paint(bracket)} ${Math.round(leftPercent)} % left, ${tokens(context.tokens)} of ${tokens(context.windowTokens)} tokens used${guessed}`;
}

function tokens(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000
    ? `${Math.round(count / 1_000)}k`
    : `${(count / 1_000_000).toFixed(1).replace(/\.0$/, "")}M`;
}
