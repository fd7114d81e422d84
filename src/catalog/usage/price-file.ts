import { join } from "node:path";
import { isRepriseError, RepriseError } from "../../base/errors.ts";
import { isObject, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { readRegular } from "../../base/open-file.ts";
import type { Home } from "../../store/home.ts";
import type { Price } from "./price-table.ts";
import { bundledPrices, type Prices } from "./prices.ts";

const kinds = ["input", "output", "cacheRead", "cacheWrite", "cacheWriteHour"] as const;
const known = new Set<string>([...kinds, "long"]);

/**
 * The prices in force: those of the named file, else of `prices.json` in the home folder, over the
 * bundled ones. A file that says something else than prices throws `bad_input` with the place.
 */
export function pricesFor(home: Home, named?: string): Prices {
  const path = named ?? join(home.root, "prices.json");
  const text = textOf(path, named !== undefined);
  return text === undefined
    ? bundledPrices
    : { ...bundledPrices, file: path, own: parsed(text, path) };
}

function textOf(path: string, isNamed: boolean): string | undefined {
  try {
    return readRegular(path, limits.priceFileBytes).toString("utf8");
  } catch (error) {
    if (!isNamed && isRepriseError(error, "not_found")) return undefined;
    if (isRepriseError(error, "too_large"))
      throw wrong(path, "the file", "is too large to be prices");
    if (!isRepriseError(error)) throw error;
    // What is not found elsewhere is a session.
    const code = error.code === "not_found" ? "bad_input" : error.code;
    const hint = "Name a file of prices, such as docs/stats.md shows.";
    throw new RepriseError(code, error.message, { cause: error, hint });
  }
}

function parsed(text: string, path: string): Readonly<Record<string, Price>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(path, "the text", `is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  const models = isObject(value) ? value["models"] : undefined;
  if (!isObject(models)) throw wrong(path, "models", "must be an object of model names");
  const prices: Record<string, Price> = Object.create(null);
  for (const [model, price] of Object.entries(models)) {
    const place = `models[${JSON.stringify(model)}]`;
    if (!isObject(price)) throw wrong(path, place, "must be an object of prices");
    const base = priceIn(price, place, path);
    const long = price["long"];
    if (long === undefined) prices[model] = base;
    else {
      if (!isObject(long)) throw wrong(path, `${place}.long`, "must be an object of prices");
      const { aboveTokens, ...rest } = long;
      if (!isAmount(aboveTokens)) throw wrong(path, `${place}.long.aboveTokens`, notAmount);
      prices[model] = { ...base, long: { ...priceIn(rest, `${place}.long`, path), aboveTokens } };
    }
  }
  return prices;
}

const notAmount = "must be a number that is not negative";

function priceIn(fields: JsonObject, place: string, path: string): Omit<Price, "long"> {
  for (const key of Object.keys(fields)) {
    if (!known.has(key)) throw wrong(path, `${place}.${key}`, "is not a price; see docs/stats.md");
  }
  const amounts: Record<string, number> = {};
  for (const kind of kinds) {
    const value = fields[kind];
    if (value === undefined && kind !== "input" && kind !== "output") continue;
    if (!isAmount(value)) throw wrong(path, `${place}.${kind}`, notAmount);
    amounts[kind] = value;
  }
  return amounts as unknown as Omit<Price, "long">;
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function wrong(path: string, place: string, what: string): RepriseError {
  return new RepriseError("bad_input", `${path}: ${place} ${what}.`, {
    hint: "Prices are US dollars for a million tokens; docs/stats.md shows a file.",
    details: { path, place },
  });
}
