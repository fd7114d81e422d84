import { dirname } from "node:path";
import type { AgentMemories } from "../../agents/memories-contract.ts";
import { processEnvironment } from "../../base/env.ts";
import { estimateTokens } from "../../context/estimate.ts";
import { digestOf } from "../../memory/digest.ts";
import { withoutSecrets } from "../ledger/secrets.ts";
import { logError } from "../state/error-log.ts";
import type { Contribution, InjectionContext } from "./injection.ts";
import { publishedLines } from "./published-lines.ts";

/** What the user stored, said or approved about the project, within what the budget leaves beside the rest. */
export function contributeMemories(
  { event, state, policy, places }: InjectionContext,
  {
    said,
    mostTokens,
    pages,
  }: {
    readonly said: readonly Contribution[];
    readonly mostTokens: number;
    /** Where the agent's own pages lie: what is published there is not given again. */
    readonly pages?: AgentMemories | undefined;
  },
): readonly Contribution[] {
  const cwd = event.cwd ?? state.cwd;
  if (cwd === undefined) return [];
  const taken = said.reduce((sum, { tokens }) => sum + tokens, 0);
  const budgetTokens = Math.min(mostTokens, policy.budgetTokens - taken);
  try {
    const reader = process.env["REPRISE_AGENT"] || event.agent;
    const root = dirname(places.root);
    const env = { ...processEnvironment(), cwd };
    const besides = pages === undefined ? undefined : publishedLines(pages, env);
    const options = { root, cwd, reader, budgetTokens, ...(besides !== undefined && { besides }) };
    const text = withoutSecrets(digestOf(options));
    return text === "" ? [] : [{ kind: "memory", text, tokens: estimateTokens(text) }];
  } catch (error) {
    // Without its memories an event is still counted.
    logError(places.root, event.agent, error);
    return [];
  }
}
