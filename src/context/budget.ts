import type { ContextMessage } from "./messages.ts";
import type { Remarks } from "./remarks.ts";
import { turnsOf } from "./turns.ts";

/** Messages that fit, and the tokens they take. */
export interface Fitted {
  readonly messages: readonly ContextMessage[];
  readonly tokens: number;
  readonly dropped: boolean;
}

/**
 * Keeps the newest whole turns that fit. System messages and the summary always stay, and so does the
 * newest turn; if those alone are too much, the result is over the budget and says so.
 */
export function fitBudget(
  messages: readonly ContextMessage[],
  options: {
    readonly budgetTokens: number;
    readonly tokensOf: (message: ContextMessage) => number;
    readonly remarks: Remarks;
  },
): Fitted {
  const { budgetTokens, tokensOf, remarks } = options;
  const fixed = messages.filter(isFixed);
  const history = messages.filter((message) => !isFixed(message));
  const turns = turnsOf(history);
  let tokens = fixed.reduce((sum, message) => sum + tokensOf(message), 0);
  let from = history.length;
  for (const turn of turns.toReversed()) {
    let size = 0;
    for (let index = turn.from; index < turn.to; index += 1) size += tokensOf(history[index]!);
    if (from < history.length && tokens + size > budgetTokens) break;
    tokens += size;
    from = turn.from;
  }
  for (const message of history.slice(0, from)) {
    for (const event of message.events) remarks.add("over_budget", event);
  }
  const kept = new Set(history.slice(from));
  return {
    messages: messages.filter((message) => isFixed(message) || kept.has(message)),
    tokens,
    dropped: from > 0,
  };
}

function isFixed(message: ContextMessage): boolean {
  return message.role === "system" || message.summary === true;
}
