import type { AgentEvent } from "../../agents/contract.ts";
import type { LaterStart } from "./later-start.ts";
import { type SharedPrefix, sharedPrefix } from "./shared-prefix.ts";
import { readSide, type Side, type SideOptions } from "./side.ts";

/** Two branches: what they share, and what each has behind it. */
export interface Comparison {
  readonly common: Omit<SharedPrefix, "rest">;
  /** Where the common part begins, if that is not the beginning of both. */
  readonly later?: LaterStart;
  readonly sides: readonly [Side, Side];
}

/** One branch to compare. */
export interface ComparedSource {
  readonly events: AsyncIterable<AgentEvent>;
  readonly cwd: string | undefined;
}

/** Compares two branches from the point on where they differ; memory holds one event of each and what is reported. */
export async function compareBranches(
  [one, two]: readonly [ComparedSource, ComparedSource],
  options: Omit<SideOptions, "cwd">,
): Promise<Comparison> {
  const { rest, ...common } = await sharedPrefix(one.events, two.events, options);
  const a = await readSide(rest[0], { ...options, cwd: one.cwd });
  const b = await readSide(rest[1], { ...options, cwd: two.cwd });
  return { common, sides: [a, b] };
}
