import { limits } from "../../base/limits.ts";
import { isDecision, sentencesOf } from "../../context/sentences.ts";
import type { BridgeTask } from "../../model/bridge-event.ts";
import { withoutInjected } from "../../model/injected.ts";
import { oneLine } from "../../model/text.ts";
import { setsRule } from "./rule.ts";
import { withoutSecrets } from "./secrets.ts";

/** What a ledger learns of a session; absent is unknown, empty is none. */
export interface Facts {
  readonly goal?: string;
  readonly constraints?: readonly string[];
  readonly decisions?: readonly string[];
  /** What the agent asked last; answered by the next prompt. */
  readonly questions?: readonly string[];
  /** Changed files, the newest last. */
  readonly files?: readonly string[];
  readonly tasks?: readonly BridgeTask[];
}

/** How much of a text is looked at. */
const lookedAtChars = 16_000;

/** What a prompt says: a goal where it is the first, rules it sets; what was asked before is answered. */
export function factsOfPrompt(prompt: string, { isFirst }: { readonly isFirst: boolean }): Facts {
  const said = typed(prompt);
  // A command to the agent is not a goal.
  const goal =
    isFirst && !/^[/!#]/.test(said) ? oneLine(withoutSecrets(said), limits.ledgerItemChars) : "";
  // One look over the whole reports most prompts that no sentence of them is a rule.
  const rules = setsRule(said) ? sentencesOf(said).filter(setsRule) : [];
  return {
    ...(goal !== "" && { goal: withoutSecrets(goal) }),
    constraints: rules.filter((sentence) => sentence !== goal).map(withoutSecrets),
    questions: [],
  };
}

/** What an answer says: decisions with their reasons, and what it asks. */
export function factsOfAnswer(answer: string): Facts {
  const sentences = sentencesOf(typed(answer));
  const decisions = sentences.filter(isDecision);
  const questions = sentences.filter((sentence) => sentence.endsWith("?"));
  return {
    decisions: decisions.slice(-limits.ledgerItems).map(withoutSecrets),
    questions: questions.slice(-5).map(withoutSecrets),
  };
}

function typed(text: string): string {
  return withoutInjected(text.slice(0, lookedAtChars)).trim();
}
