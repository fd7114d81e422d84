import type { AgentHooks } from "../../agents/hooks-contract.ts";
import { fingerprint } from "../../base/fingerprint.ts";
import type { BridgeEvent } from "../../model/bridge-event.ts";
import type { BridgePlaces } from "../state/places.ts";
import type { State } from "../state/state.ts";
import type { BracketPolicy } from "./policy.ts";

/** A piece of text for the model, with what it costs. */
export interface Contribution {
  readonly kind: string;
  readonly text: string;
  /** Also given where only the most important is. */
  readonly pinned?: boolean;
  readonly tokens: number;
}

/** A contribution that is given, and the hash that keeps it from being given again. */
export interface Chosen extends Contribution {
  readonly hash: string;
}

/** Everything that decides what a model is given at one event. */
export interface InjectionContext {
  readonly event: BridgeEvent;
  /** With this event folded in. */
  readonly state: State;
  readonly policy: BracketPolicy;
  readonly places: BridgePlaces;
  readonly hooks: AgentHooks | undefined;
  /** Milliseconds of the deadline that are left; slow work is left out when few are. */
  leftMs(): number;
}

/** What is given: new to this context, allowed by the policy, within its budget and the cap. */
export function chosen(
  offered: readonly Contribution[],
  context: Pick<InjectionContext, "policy" | "state">,
  capTokens: number,
): readonly Chosen[] {
  const { policy, state } = context;
  const given = new Set(state.injected.map(({ hash }) => hash));
  const onlyPinned = policy.gives === "pinned" || policy.gives === "nudge";
  let left = Math.min(policy.budgetTokens, capTokens);
  const result: Chosen[] = [];
  for (const contribution of offered) {
    if (onlyPinned && contribution.pinned !== true) continue;
    const hash = fingerprint(contribution.text);
    // Who says what it costs is not asked twice, but never believed below what its length says.
    const tokens = Math.max(contribution.tokens, Math.ceil(contribution.text.length / 8));
    if (given.has(hash) || tokens > left || contribution.text.trim() === "") continue;
    given.add(hash);
    left -= tokens;
    result.push({ ...contribution, tokens, hash });
  }
  return result;
}
