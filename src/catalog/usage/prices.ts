import { listPrices, type Price, pricesDated } from "./price-table.ts";
import { tokenKinds, type UsageTable } from "./table.ts";

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
 * same price; a name that is only similar has none.
 */
export function priceOf(model: string, prices: Prices): Price | undefined {
  for (const name of namesOf(model)) {
    const own = Object.hasOwn(prices.own, name) ? prices.own[name] : undefined;
    if (own !== undefined) return own;
  }
  for (const name of namesOf(model)) {
    if (Object.hasOwn(listPrices, name)) return listPrices[name];
  }
  return undefined;
}

function namesOf(model: string): readonly string[] {
  const lower = model.toLowerCase();
  // `openrouter/anthropic/claude-…`, `us.anthropic.claude-…`
  const last = lower.slice(lower.lastIndexOf("/") + 1);
  const local = last.replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|openai|google)\./, "");
  // `[1m]`, `-v1:0`, `@20250929`, `-20250929`, `-2025-08-07`, `-latest`
  const bare = local.replace(/\[[^\]]*\]$/, "").replace(/(?:-v\d+)?(?::[\w.]+)?$/, "");
  const undated = bare.replace(/(?:[-@]\d{8}|-\d{4}-\d\d-\d\d|-latest|@latest|@default)$/, "");
  return [...new Set([model, lower, last, local, bare, undated])];
}

/** What rows cost: as their program recorded it, else by the table; NaN where the model has no price. */
export function costsOf(table: UsageTable, prices: Prices): (row: number) => number {
  const { costs, modelOf, tokens } = table;
  const kinds = tokenKinds.length;
  const byModel = table.models.map((model) => ratesOf(priceOf(model, prices)));
  return (row) => {
    const recorded = costs[row]!;
    return Number.isNaN(recorded) ? costOf(tokens, row * kinds, byModel[modelOf[row]!]!) : recorded;
  };
}

/** A price with nothing left out, in the order of `tokenKinds`: rows are many, and read it alike. */
interface Rates {
  readonly usual: Float64Array;
  readonly long: Float64Array;
  readonly longAbove: number;
}

function ratesOf(price: Price | undefined): Rates {
  const usual = price === undefined ? new Float64Array(5).fill(Number.NaN) : ratesIn(price);
  const long = price?.long;
  if (long === undefined) return { usual, long: usual, longAbove: Number.POSITIVE_INFINITY };
  return { usual, long: ratesIn(long), longAbove: long.aboveTokens };
}

function ratesIn(price: Omit<Price, "long">): Float64Array {
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const { cacheWriteHour = cacheWrite } = price;
  return Float64Array.of(input, output, cacheRead, cacheWrite, cacheWriteHour);
}

function costOf(tokens: Uint32Array, at: number, { usual, long, longAbove }: Rates): number {
  const input = tokens[at]!;
  const cacheRead = tokens[at + 2]!;
  const cacheWrite = tokens[at + 3]!;
  const cacheWriteHour = tokens[at + 4]!;
  const rates = input + cacheRead + cacheWrite + cacheWriteHour > longAbove ? long : usual;
  return (
    (input * rates[0]! +
      tokens[at + 1]! * rates[1]! +
      cacheRead * rates[2]! +
      cacheWrite * rates[3]! +
      cacheWriteHour * rates[4]!) /
    1e6
  );
}
