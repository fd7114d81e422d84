import type { Contribution, InjectionContext } from "../injection.ts";

/** What the ledger has to say at an event, the most important first. */
export function contributeLedger(_context: InjectionContext): readonly Contribution[] {
  return [];
}
