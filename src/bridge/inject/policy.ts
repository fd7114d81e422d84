import type { Bracket } from "../state/state.ts";

/** What one bracket allows. */
export interface BracketPolicy {
  readonly bracket: Bracket;
  /** `ledger`: all of it; `changes`: what is new since the last time; `pinned`: decisions and open tasks; `nudge`: a word to write a hand-off. */
  readonly gives: "ledger" | "changes" | "pinned" | "nudge";
  readonly budgetTokens: number;
}

const policies: Readonly<Record<Bracket, BracketPolicy>> = {
  FRESH: { bracket: "FRESH", gives: "ledger", budgetTokens: 2_000 },
  MODERATE: { bracket: "MODERATE", gives: "changes", budgetTokens: 1_000 },
  DEPLETED: { bracket: "DEPLETED", gives: "pinned", budgetTokens: 400 },
  CRITICAL: { bracket: "CRITICAL", gives: "nudge", budgetTokens: 120 },
};

/** The policy of a bracket; a project or user may set other budgets. */
export function policyOf(
  bracket: Bracket,
  budgets: Readonly<Partial<Record<Bracket, number>>> = {},
): BracketPolicy {
  const policy = policies[bracket];
  return { ...policy, budgetTokens: budgets[bracket] ?? policy.budgetTokens };
}
