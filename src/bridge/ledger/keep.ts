import type { BridgeEvent } from "../../model/bridge-event.ts";
import type { InjectionContext } from "../inject/injection.ts";
import type { State } from "../state/state.ts";
import { setsRule } from "./rule.ts";

/** Whether an event has something that belongs in the ledger. */
export function isForLedger({ event, state }: InjectionContext): boolean {
  const cwd = event.cwd ?? state.cwd;
  // What a subagent does is not a decision of the session.
  return cwd !== undefined && event.subagent === undefined && hasSomething(event, state);
}

/** Calls of tools and most prompts have nothing: they cost nothing. What a prompt answers, the next stop takes out. */
function hasSomething({ kind, prompt = "" }: BridgeEvent, { promptCount }: State): boolean {
  switch (kind) {
    case "prompt":
      return prompt !== "" && (promptCount === 1 || setsRule(prompt));
    case "session_start":
    case "stop":
    case "pre_compact":
    case "session_end":
      return true;
    default:
      return false;
  }
}
