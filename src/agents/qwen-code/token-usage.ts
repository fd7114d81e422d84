import { asCount, type JsonObject } from "../../base/json.ts";
import type { Usage } from "../../model/usage.ts";

/** The tokens of one answer; the cache is within the input, thoughts mostly within the output. */
export function usageOf(stated: JsonObject): Usage {
  const count = (name: string): number => asCount(stated[name]) ?? 0;
  const prompt = count("promptTokenCount");
  const cacheRead = Math.min(prompt, count("cachedContentTokenCount"));
  const reasoning = count("thoughtsTokenCount");
  return {
    input: prompt - cacheRead,
    // The total says whether thoughts are counted beside the answer, as Gemini's own API does.
    output: Math.max(count("candidatesTokenCount"), count("totalTokenCount") - prompt),
    ...(cacheRead > 0 && { cacheRead }),
    ...(reasoning > 0 && { reasoning }),
  };
}
