import type { AgentNotes } from "../../agents/notes-contract.ts";
import type { Contribution, InjectionContext } from "../inject/injection.ts";
import { logError } from "../state/error-log.ts";
import type { Occasion } from "./contribute.ts";
import { contributeNow } from "./contribute-now.ts";
import { keepNow } from "./keep-now.ts";

/**
 * What a ledger does at an event that it has to do with. With it come the rules that find secrets: it is loaded when
 * such an event is met. What fails in it is written down, and the event is still counted.
 */
export interface Ledger {
  /** What it has to say on an occasion. */
  contribute(context: InjectionContext, occasion: Occasion): readonly Contribution[];
  /** Takes the event in, once its line was written. */
  keep(context: InjectionContext): void;
}

/** The ledger of files; with the notes other programs keep, which it takes in when a session begins. */
export function ledgerWith(notes: readonly AgentNotes[]): Ledger {
  return {
    contribute: (context, occasion) =>
      attempt(context, () => contributeNow(context, occasion)) ?? [],
    keep: (context) => attempt(context, () => keepNow(context, notes)),
  };
}

function attempt<T>({ places, event }: InjectionContext, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    logError(places.root, event.agent, error);
    return undefined;
  }
}
