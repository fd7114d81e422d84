import type { Estimate } from "../../context/estimate.ts";
import type { Answer } from "./answer.ts";

/** The answers that fit a budget, what they take, and how many were left out. */
export interface Fitted<One extends Answer> {
  readonly answers: readonly One[];
  readonly tokens: number;
  readonly leftOut: number;
}

/** Reference, time and marks of an answer, about. */
const frameTokens = 24;

/**
 * As many groups as fit, in order. A group that does not fit gives up its older statements first: an outdated one never
 * stands without its update.
 */
export function fitted<One extends Answer>(
  groups: readonly (readonly One[])[],
  { budgetTokens, estimate }: { readonly budgetTokens: number; readonly estimate: Estimate },
): Fitted<One> {
  const answers: One[] = [];
  let tokens = 0;
  let leftOut = 0;
  for (const group of groups) {
    for (const answer of group) {
      const cost = estimate(answer.text) + frameTokens;
      if (tokens + cost > budgetTokens) {
        leftOut += group.length - group.indexOf(answer);
        break;
      }
      tokens += cost;
      answers.push(answer);
    }
  }
  return { answers, tokens, leftOut };
}
