import type { AgentEvent } from "../../agents/contract.ts";
import { limits } from "../../base/limits.ts";
import { plainText } from "../../model/block.ts";
import { isPrompt } from "../../model/prompt.ts";
import { oneLine } from "../../model/text.ts";
import type { ToolDialect } from "../../model/tool-dialect.ts";
import { isSame } from "./said.ts";
import { type Rest, Walk } from "./walk.ts";

/** What two branches share from their first event on. */
export interface SharedPrefix {
  /** Things said that both have: texts, calls, results. */
  readonly shared: number;
  /** The last shared event of each side. */
  readonly last?: readonly [string, string];
  /** The last prompt both have. */
  readonly prompt?: string;
  /** What comes after it, of each side. */
  readonly rest: readonly [Rest, Rest];
}

/**
 * Goes along two branches as long as they say the same, whichever agents wrote them: calls are compared by what they
 * do, results call by call whenever they come, and what programs put in is passed over. Holds one event of each.
 */
export async function sharedPrefix(
  one: AsyncIterable<AgentEvent>,
  two: AsyncIterable<AgentEvent>,
  { dialects }: { readonly dialects: readonly ToolDialect[] },
): Promise<SharedPrefix> {
  const [a, b] = [new Walk(one, dialects), new Walk(two, dialects)];
  let shared = 0;
  let prompt: string | undefined;
  for (;;) {
    const [left, right] = [await a.ahead(), await b.ahead()];
    const results = sameResults(a, b);
    shared += results.count;
    if (!results.areSame || left === undefined || right === undefined || !isSame(left, right)) {
      const last = a.last !== undefined && b.last !== undefined && ([a.last, b.last] as const);
      return {
        shared,
        rest: [a.rest(), b.rest()],
        ...(last !== false && { last }),
        ...(prompt !== undefined && { prompt }),
      };
    }
    a.pass();
    b.pass();
    shared += 1;
    const { body } = left.event;
    if (isPrompt(body)) prompt = oneLine(plainText(body.content), limits.promptChars);
  }
}

/** Compares the results that came on both sides; those of one call, which a copy has too, are the same in any words. */
function sameResults(a: Walk, b: Walk): { readonly count: number; readonly areSame: boolean } {
  let count = 0;
  for (const [one, two] of a.sharedResults(b)) {
    if (one.call !== two.call && one.hash !== two.hash) return { count, areSame: false };
    a.reach(one);
    b.reach(two);
    count += 1;
  }
  return { count, areSame: true };
}
