import type { BridgeEvent } from "../model/bridge-event.ts";
import { contributeLedger } from "./ledger/contribute.ts";
import type { BridgePlaces } from "./places.ts";
import type { BracketPolicy } from "./policy.ts";
import type { State } from "./state.ts";

/** A piece of text for the model, with what it costs. */
export interface Contribution {
  readonly kind: string;
  readonly text: string;
  /** Also given where only the most important is. */
  readonly pinned?: boolean;
  readonly tokens: number;
}

/** Everything that decides what a model is given at one event. */
export interface InjectionContext {
  readonly event: BridgeEvent;
  /** With this event folded in. */
  readonly state: State;
  readonly policy: BracketPolicy;
  readonly places: BridgePlaces;
  /** Milliseconds of the deadline that are left; slow work is left out when few are. */
  leftMs(): number;
}

/** What there is to say at an event, the most important first; the policy and the budget choose. */
export function contributions(context: InjectionContext): readonly Contribution[] {
  return contributeLedger(context);
}
