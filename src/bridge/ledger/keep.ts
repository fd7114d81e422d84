import type { BridgeEvent } from "../../model/bridge-event.ts";
import type { InjectionContext } from "../inject/injection.ts";
import { logError } from "../state/error-log.ts";
import type { State } from "../state/state.ts";
import { keepNow } from "./keep-now.ts";
import { setsRule } from "./rule.ts";

/** Takes an event into the ledger; called once for each event, after its line was written. */
export function keepLedger(context: InjectionContext): void {
  const { event, state, places, leftMs } = context;
  const cwd = event.cwd ?? state.cwd;
  // What a subagent does is no decision of the session.
  if (cwd === undefined || event.subagent !== undefined || !hasSomething(event, state)) return;
  try {
    if (leftMs() > 0) keepNow(context, cwd);
  } catch (error) {
    // What the model is given does not depend on what is kept.
    logError(places.root, event.agent, error);
  }
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
