import type { ContextLook } from "../../../bridge/state/look.ts";
import type { Bracket } from "../../../bridge/state/state.ts";
import type { Colours } from "../terminal/colours.ts";

/** What each bracket means to a person. */
const words: Readonly<Record<Bracket, string>> = {
  FRESH: "much room left",
  MODERATE: "enough room left",
  DEPLETED: "little room left",
  CRITICAL: "hardly any room left",
};

/** How full a context is, in percent, tokens and a word. */
export function contextText(
  { bracket, leftPercent, context }: ContextLook,
  colours: Colours,
): string {
  const paint =
    bracket === "FRESH" ? colours.green : bracket === "CRITICAL" ? colours.red : colours.yellow;
  const guessed = context.from === "estimate" ? ", estimated" : "";
  const share = `${100 - Math.round(leftPercent)} % full`;
  const size = `${tokens(context.tokens)} of ${tokens(context.windowTokens)} tokens${guessed}`;
  return `${share} (${size}), ${paint(words[bracket])}`;
}

function tokens(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000
    ? `${Math.round(count / 1_000)}k`
    : `${(count / 1_000_000).toFixed(1).replace(/\.0$/, "")}M`;
}
