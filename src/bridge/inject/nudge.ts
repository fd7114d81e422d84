import { percentLeft } from "../state/brackets.ts";
import type { Contribution, InjectionContext } from "./injection.ts";

/** Where little of the context is left: a word to write down what must not get lost, once a context. */
export function nudge({ policy, state }: InjectionContext): readonly Contribution[] {
  if (policy.gives !== "nudge") return [];
  // No number that changes from prompt to prompt: said once is enough.
  if (percentLeft(state.context) >= 100) return [];
  const text =
    "The context window is nearly full. Before you continue, write a short hand-off: the goal, what is done, what is open, decisions made and the next step. Run `reprise handoff` to make one from this session.";
  return [{ kind: "nudge", text, pinned: true, tokens: Math.ceil(text.length / 4) }];
}
