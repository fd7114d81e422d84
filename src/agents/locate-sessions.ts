import type { Environment } from "../base/env.ts";
import type { LocateOptions, SessionRef } from "./contract.ts";

/** What finding sessions needs of an agent: a part of it that loads in no time. */
export interface Locator {
  readonly name: string;
  /** As `revisions.ts` tells it. */
  readonly revision?: number;
  locate(env: Environment, options?: LocateOptions): Iterable<SessionRef>;
  /** The files whose bytes hold all that a session says; absent where only reading it tells. */
  readonly text?: TextFiles;
}

/** The agents that find sessions; what finds them is loaded when it is needed. */
export interface Locators {
  load(): Promise<readonly Locator[]>;
}

/** Where the text of a session lies as it is, escapes aside. */
export interface TextFiles {
  of(ref: SessionRef): readonly string[];
  readonly unless?: Telling;
  /** What the store calls a session, where that stands in none of these files. */
  titleOf?(ref: SessionRef): string | undefined;
}

/** A file that has one of these texts says more than its bytes. */
export interface Telling {
  readonly texts: readonly string[];
  /** Only the first so many lines tell. */
  readonly lines?: number;
}

/** Agents that find more when they know the projects other sessions ran in. */
const askingProjects: ReadonlySet<string> = new Set(["gemini-cli", "pi", "aider"]);

/** Whether an agent's sessions are found, or named, by the projects of other sessions. */
export function asksProjects({ name }: { readonly name: string }): boolean {
  return askingProjects.has(name);
}

/**
 * Every session on the machine, by stat only. Agents that ask for projects come last: what the caller
 * adds to `projects` meanwhile is known to them.
 */
export function* locateAll<T extends Locator>(
  agents: readonly T[],
  env: Environment,
  projects: ReadonlySet<string> = new Set([env.cwd]),
): Generator<{ readonly agent: T; readonly ref: SessionRef }> {
  const asking = agents.filter(asksProjects);
  for (const agent of agents) {
    if (asking.includes(agent)) continue;
    for (const ref of agent.locate(env)) yield { agent, ref };
  }
  for (const agent of asking) {
    for (const ref of agent.locate(env, { projects: [...projects] })) yield { agent, ref };
  }
}
