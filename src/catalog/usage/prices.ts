import type { TokenKind, Tokens } from "../../model/usage-table.ts";
import { listPrices, type Price, pricesDated } from "./price-table.ts";

/** Prices in force: the bundled ones, with a file of the user's over them. */
export interface Prices {
  readonly dated: string;
  /** The user's file, where one was read. */
  readonly file?: string;
  readonly own: Readonly<Record<string, Price>>;
}

/** The bundled prices. */
export const bundledPrices: Prices = { dated: pricesDated, own: {} };

/**
 * The price of a model. Its name counts as it is, then without maker, region, date and variant of the
 * same price, however it is punctuated; a name that is only similar has none.
 */
export function priceOf(model: string, prices: Prices): Price | undefined {
  const names = namesOf(model);
  for (const name of names) {
    if (Object.hasOwn(prices.own, name)) return prices.own[name];
  }
  // Of what a router gives away nothing is charged.
  if (/:free$/i.test(model)) return { input: 0, output: 0 };
  for (const name of names) {
    const listed = pricesByName.get(punctuated(name));
    if (listed !== undefined) return listed;
  }
  return undefined;
}

/** Programs write `claude-sonnet-4.6`, `claude-sonnet-4-6` and `claude-4.6-sonnet` for one model. */
function punctuated(name: string): string {
  return name
    .replaceAll(".", "-")
    .replace(/^claude-([4-9](?:-\d{1,2})?)-(haiku|opus|sonnet)\b/, "claude-$2-$1");
}

const pricesByName: ReadonlyMap<string, Price> = new Map(
  Object.entries(listPrices).map(([name, price]) => [punctuated(name), price]),
);

function namesOf(model: string): readonly string[] {
  const lower = model.toLowerCase();
  // `openrouter/anthropic/claude-…`, `anthropic:claude-…`, `us.anthropic.claude-…`
  const last = lower.slice(lower.lastIndexOf("/") + 1);
  const local = last
    .replace(/^(?:anthropic|openai|google|bedrock|vertex):/, "")
    .replace(/^(?:[a-z-]{2,6}\.)?(?:anthropic|openai|google)\./, "");
  // `[1m]`, `-v1:0`, `@20250929`, `-20250929`, `-2025-08-07`, `-latest`, `-thinking`, `-high`
  const bare = local.replace(/\[[^\]]*\]$/, "").replace(/(?:-v\d+)?(?::[\w.]+)?$/, "");
  const undated = bare.replace(/(?:[-@]\d{8}|-\d{4}-\d\d-\d\d|-latest|@latest|@default)$/, "");
  const untuned = undated.replace(/-(?:thinking|minimal|low|medium|high|xhigh)$/, "");
  return [...new Set([model, lower, last, local, bare, undated, untuned])];
}

/** What a model takes for its tokens. */
export interface Rates {
  /** Undefined where the model has no price. */
  readonly usual: Rate | undefined;
  /** For a request of more input than `longAbove`. */
  readonly long: Rate | undefined;
  readonly longAbove: number | undefined;
}

/** US dollars for a million tokens, nothing left out. */
type Rate = Readonly<Record<Exclude<TokenKind, "reasoning">, number>>;

/** The rates of a model. */
export function ratesOf(model: string, prices: Prices): Rates {
  const price = priceOf(model, prices);
  const usual = price && rateIn(price);
  const { long } = price ?? {};
  return { usual, long: long && rateIn(long), longAbove: long?.aboveTokens };
}

function rateIn(price: Omit<Price, "long">): Rate {
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const { cacheWriteHour = cacheWrite } = price;
  return { input, output, cacheRead, cacheWrite, cacheWriteHour };
}

/** US dollars for tokens; NaN where there is no price. */
export function dollarsFor(tokens: Tokens, rate: Rate | undefined): number {
  if (rate === undefined) return Number.NaN;
  return (
    (tokens.input * rate.input +
      tokens.output * rate.output +
      tokens.cacheRead * rate.cacheRead +
      tokens.cacheWrite * rate.cacheWrite +
      tokens.cacheWriteHour * rate.cacheWriteHour) /
    1e6
  );
}

/** Which list prices a cost was computed at, where the program had recorded none. */
export interface PricesUsed {
  /** The day of the bundled table. */
  readonly dated: string;
  /** The file of the user's that was read over it. */
  readonly file?: string;
}

/** What of the prices a reader of a report should know. */
export function pricesUsed({ dated, file }: Prices): PricesUsed {
  return { dated, ...(file !== undefined && { file }) };
}
