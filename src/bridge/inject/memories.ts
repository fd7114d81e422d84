import { dirname } from "node:path";
import { estimateTokens } from "../../context/estimate.ts";
import { digestOf } from "../../memory/digest.ts";
import { withoutSecrets } from "../ledger/secrets.ts";
import { logError } from "../state/error-log.ts";
import type { Contribution, InjectionContext } from "./injection.ts";

/** What the user stored, said or approved about the project, within what the budget leaves beside the rest. */
export function contributeMemories(
  { event, state, policy, places }: InjectionContext,
  { said, mostTokens }: { readonly said: readonly Contribution[]; readonly mostTokens: number },
): readonly Contribution[] {
  const cwd = event.cwd ?? state.cwd;
  if (cwd === undefined) return [];
  const taken = said.reduce((sum, { tokens }) => sum + tokens, 0);
  const budgetTokens = Math.min(mostTokens, policy.budgetTokens - taken);
  try {
    const reader = process.env["REPRISE_AGENT"] || event.agent;
    const root = dirname(places.root);
    const text = withoutSecrets(digestOf({ root, cwd, reader, budgetTokens }));
    return text === "" ? [] : [{ kind: "memory", text, tokens: estimateTokens(text) }];
  } catch (error) {
    // Without its memories an event is still counted.
    logError(places.root, event.agent, error);
    return [];
  }
}
