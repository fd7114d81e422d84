/** US dollars for a million tokens of each kind; what is absent is charged as input. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly cacheWriteHour?: number;
  /** Prices of the whole request where its input, cached or not, is longer than this. */
  readonly long?: Omit<Price, "long"> & { readonly aboveTokens: number };
}

/** When the prices below were looked up; what changed since needs a file of one's own. */
export const pricesDated = "2026-11-15";

/** Anthropic: a cache read, a write kept for five minutes and one kept for an hour, in shares of the input. */
function claude(input: number, output: number, cacheRead = input / 10): Price {
  const cents = (value: number): number => Math.round(value * 1e6) / 1e6;
  return {
    input,
    output,
    cacheRead: cents(cacheRead),
    cacheWrite: cents(input * 1.25),
    cacheWriteHour: cents(input * 2),
  };
}

/** Input, output, cached input. */
function plain(input: number, output: number, cacheRead?: number): Price {
  return { input, output, ...(cacheRead !== undefined && { cacheRead }) };
}

function withLong(price: Price, aboveTokens: number, long: Omit<Price, "long">): Price {
  return { ...price, long: { ...long, aboveTokens } };
}

const sonnet4 = withLong(claude(3, 15), 200_000, claude(6, 22.5));

/** List prices of the makers, by the model's name without maker, date and region. */
export const listPrices: Readonly<Record<string, Price>> = {
  "claude-3-haiku": { input: 0.25, output: 1.25, cacheRead: 0.03, cacheWrite: 0.3 },
  "claude-3-5-haiku": claude(0.8, 4),
  "claude-haiku-4-5": claude(1, 5),
  "claude-3-sonnet": claude(3, 15),
  "claude-3-5-sonnet": claude(3, 15),
  "claude-3-7-sonnet": claude(3, 15),
  "claude-sonnet-4": sonnet4,
  "claude-sonnet-4-0": sonnet4,
  "claude-sonnet-4-5": sonnet4,
  "claude-sonnet-4-6": claude(3, 15),
  "claude-sonnet-5": claude(2, 10),
  "claude-sonnet-5-5": claude(2, 10, 0.1),
  "claude-3-opus": claude(15, 75),
  "claude-opus-4": claude(15, 75),
  "claude-opus-4-0": claude(15, 75),
  "claude-opus-4-1": claude(15, 75),
  "claude-opus-4-5": claude(5, 25),
  "claude-opus-4-6": claude(5, 25),
  "claude-opus-4-6-fast": claude(30, 150),
  "claude-opus-4-7": claude(5, 25),
  "claude-opus-4-8": claude(5, 25),
  "claude-opus-5": claude(5, 25),
  "claude-opus-5-5": claude(4, 20, 0.2),
  "gpt-4.1": plain(2, 8, 0.5),
  "gpt-4.1-mini": plain(0.4, 1.6, 0.1),
  "gpt-4.1-nano": plain(0.1, 0.4, 0.025),
  "gpt-4o": plain(2.5, 10, 1.25),
  "gpt-4o-mini": plain(0.15, 0.6, 0.075),
  "gpt-5": plain(1.25, 10, 0.125),
  "gpt-5-codex": plain(1.25, 10, 0.125),
  "gpt-5-mini": plain(0.25, 2, 0.025),
  "gpt-5-nano": plain(0.05, 0.4, 0.005),
  "gpt-5-pro": plain(15, 120),
  "gpt-5.1": plain(1.25, 10, 0.125),
  "gpt-5.1-codex": plain(1.25, 10, 0.125),
  "gpt-5.1-codex-max": plain(1.25, 10, 0.125),
  "gpt-5.1-codex-mini": plain(0.25, 2, 0.025),
  "gpt-5.2": plain(1.75, 14, 0.175),
  "gpt-5.2-codex": plain(1.75, 14, 0.175),
  "gpt-5.2-pro": plain(21, 168),
  "gpt-5.3-codex": plain(1.75, 14, 0.175),
  "gpt-5.4": withLong(plain(2.5, 15, 0.25), 272_000, plain(5, 22.5, 0.5)),
  "gpt-5.4-mini": plain(0.75, 4.5, 0.075),
  "gpt-5.4-nano": plain(0.2, 1.25, 0.02),
  "gpt-5.5": withLong(plain(5, 30, 0.5), 272_000, plain(10, 45, 1)),
  "codex-mini-latest": plain(1.5, 6, 0.375),
  o1: plain(15, 60, 7.5),
  o3: plain(2, 8, 0.5),
  "o3-mini": plain(1.1, 4.4, 0.55),
  "o3-pro": plain(20, 80),
  "o4-mini": plain(1.1, 4.4, 0.275),
  "gemini-2.0-flash": plain(0.1, 0.4, 0.025),
  "gemini-2.0-flash-lite": plain(0.075, 0.3),
  "gemini-2.5-flash": plain(0.3, 2.5, 0.03),
  "gemini-2.5-flash-lite": plain(0.1, 0.4, 0.01),
  "gemini-2.5-pro": withLong(plain(1.25, 10, 0.125), 200_000, plain(2.5, 15, 0.25)),
  "gemini-3-flash-preview": plain(0.5, 3, 0.05),
  "gemini-3-pro-preview": withLong(plain(2, 12, 0.2), 200_000, plain(4, 18, 0.4)),
  "gemini-3.1-pro-preview": withLong(plain(2, 12, 0.2), 200_000, plain(4, 18, 0.4)),
  "grok-code-fast-1": plain(0.2, 1.5, 0.02),
  "grok-4": plain(3, 15, 0.75),
  "kimi-k2.5": plain(0.6, 3, 0.1),
  "devstral-medium-latest": plain(0.4, 2),
  "codestral-latest": plain(0.3, 0.9),
};
