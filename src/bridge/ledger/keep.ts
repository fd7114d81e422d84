import type { InjectionContext } from "../injection.ts";

/** Takes an event into the ledger; called once for each event, after its line was written. */
export function keepLedger(_context: InjectionContext): void {}
