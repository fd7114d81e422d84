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
  const byModel = table.models.map((model) => priceOf(model, prices));
  return (row) => {
    const recorded = costs[row]!;
    if (!Number.isNaN(recorded)) return recorded;
    const price = byModel[modelOf[row]!];
    return price === undefined ? Number.NaN : costOf(tokens, row * kinds, price);
  };
}

function costOf(tokens: Uint32Array, at: number, price: Price): number {
  const input = tokens[at]!;
  const output = tokens[at + 1]!;
  const cacheRead = tokens[at + 2]!;
  const cacheWrite = tokens[at + 3]!;
  const cacheWriteHour = tokens[at + 4]!;
  const { long } = price;
  const isLong =
    long !== undefined && input + cacheRead + cacheWrite + cacheWriteHour > long.aboveTokens;
  const paid = isLong ? long : price;
  const written = paid.cacheWrite ?? paid.input;
  return (
    (input * paid.input +
      output * paid.output +
      cacheRead * (paid.cacheRead ?? paid.input) +
      cacheWrite * written +
      cacheWriteHour * (paid.cacheWriteHour ?? written)) /
    1e6
  );
}
