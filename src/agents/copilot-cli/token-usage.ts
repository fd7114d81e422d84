import { asCount, asString, isObject, type JsonObject } from "../../base/json.ts";
import type { Usage } from "../../model/usage.ts";
import { dataOf } from "./record-types.ts";

/** The tokens of one request, as the newer versions record them before the answer. */
export interface CallUsage {
  readonly call: string;
  readonly usage: Usage;
}

/** What a usage record states; undefined if it states none for a request with an id. */
export function callUsage(record: JsonObject): CallUsage | undefined {
  const stated = dataOf(record)["usage"];
  if (record["type"] !== "session.usage_record" || !isObject(stated)) return undefined;
  const call = asString(stated["apiCallId"]);
  if (call === undefined) return undefined;
  const cacheRead = asCount(stated["cacheReadTokens"]) ?? 0;
  const cacheWrite = asCount(stated["cacheWriteTokens"]) ?? 0;
  // The input counts what was read from the cache and written to it.
  const input = Math.max(0, (asCount(stated["inputTokens"]) ?? 0) - cacheRead - cacheWrite);
  const reasoning = asCount(stated["reasoningTokens"]);
  return {
    call,
    usage: {
      input,
      output: asCount(stated["outputTokens"]) ?? 0,
      cacheRead,
      cacheWrite,
      ...(reasoning !== undefined && { reasoning }),
    },
  };
}

/** The tokens of an answer: those of its request where that was recorded, else what it states of itself. */
export function usageOfAnswer(data: JsonObject, before: CallUsage | undefined): Usage | undefined {
  if (before !== undefined && before.call === data["apiCallId"]) return before.usage;
  const output = asCount(data["outputTokens"]);
  return output === undefined ? undefined : { output };
}
