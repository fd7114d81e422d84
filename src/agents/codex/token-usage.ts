import { asNumber, isObject, type JsonObject } from "../../base/json.ts";
import type { Usage } from "../../model/usage.ts";

/** Cumulative tokens of a thread: input, cached input, cache writes, output, reasoning. */
export type TokenTotals = readonly [number, number, number, number, number];

/** What a usage record says: the thread's totals, and what the last response alone took. */
export interface TokenReport {
  readonly total: TokenTotals;
  readonly last?: TokenTotals;
}

/** The report in a `token_count` event or a `token_usage_record`; undefined if it has none. */
export function tokenReport(type: string, payload: JsonObject): TokenReport | undefined {
  const [total, last] =
    type === "token_usage_record"
      ? [totalsOf(payload["thread_token_usage"]), totalsOf(payload["usage"])]
      : isObject(payload["info"])
        ? [
            totalsOf(payload["info"]["total_token_usage"]),
            totalsOf(payload["info"]["last_token_usage"]),
          ]
        : [];
  if (total === undefined) return undefined;
  return { total, ...(last !== undefined && { last }) };
}

/** The five numbers of a usage object. */
export function totalsOf(value: unknown): TokenTotals | undefined {
  if (!isObject(value) || asNumber(value["input_tokens"]) === undefined) return undefined;
  const count = (key: string): number => Math.max(0, asNumber(value[key]) ?? 0);
  return [
    count("input_tokens"),
    count("cached_input_tokens"),
    count("cache_write_input_tokens"),
    count("output_tokens"),
    count("reasoning_output_tokens"),
  ];
}

/** Tokens as ours: Codex counts cached input inside the input, we count it apart. */
export function usageOf(totals: TokenTotals): Usage {
  const [input, cacheRead, cacheWrite, output, reasoning] = totals;
  return {
    input: Math.max(0, input - cacheRead - cacheWrite),
    output,
    ...(cacheRead > 0 && { cacheRead }),
    ...(cacheWrite > 0 && { cacheWrite }),
    ...(reasoning > 0 && { reasoning }),
  };
}

/**
 * What one report adds to the totals before it; undefined if it repeats them. Where the totals
 * before are not known, or went back, the response's own numbers count.
 */
export function addedTokens(
  before: TokenTotals | undefined,
  report: TokenReport,
): TokenTotals | undefined {
  if (before === undefined) return report.last ?? report.total;
  const added = report.total.map((count, index) => count - before[index]!);
  if (added.every((count) => count === 0)) return undefined;
  if (added.some((count) => count < 0)) return report.last;
  return added as unknown as TokenTotals;
}
