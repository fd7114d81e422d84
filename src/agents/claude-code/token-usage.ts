import { asNumber, isObject, type JsonObject, withoutAbsent } from "../../base/json.ts";
import type { Usage } from "../../model/usage.ts";

/** The tokens of a model message as it states them, or undefined. */
export function usageOf(native: unknown): Usage | undefined {
  if (!isObject(native)) return undefined;
  const details = native["output_tokens_details"];
  const usage = withoutAbsent({
    input: asNumber(native["input_tokens"]),
    output: asNumber(native["output_tokens"]),
    cacheRead: asNumber(native["cache_read_input_tokens"]),
    cacheWrite: asNumber(native["cache_creation_input_tokens"]),
    reasoning: isObject(details) ? asNumber(details["thinking_tokens"]) : undefined,
  });
  return Object.keys(usage).length === 0 ? undefined : usage;
}

/** The totals of a `cost-state` record over all its models, or undefined. */
export function totalUsage(costState: JsonObject): Usage | undefined {
  const models = costState["modelUsage"];
  if (!isObject(models)) return undefined;
  const sum: Record<string, number> = {};
  for (const row of Object.values(models)) {
    if (!isObject(row)) continue;
    for (const [native, name] of totals) {
      const value = asNumber(row[native]);
      if (value !== undefined) sum[name] = (sum[name] ?? 0) + value;
    }
  }
  const cost = asNumber(costState["totalCostUSD"]);
  if (cost !== undefined) sum["cost"] = cost;
  return Object.keys(sum).length === 0 ? undefined : sum;
}

const totals: readonly (readonly [string, keyof Usage])[] = [
  ["inputTokens", "input"],
  ["outputTokens", "output"],
  ["cacheReadInputTokens", "cacheRead"],
  ["cacheCreationInputTokens", "cacheWrite"],
  ["thinkingTokens", "reasoning"],
];
