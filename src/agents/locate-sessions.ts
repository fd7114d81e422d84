import type { Environment } from "../base/env.ts";
import type { Agent, SessionRef } from "./contract.ts";

/**
 * Every session on the machine, by stat only. Agents that ask for projects come last: what the caller
 * adds to `projects` meanwhile is known to them.
 */
export function* locateAll(
  agents: readonly Agent[],
  env: Environment,
  projects: ReadonlySet<string> = new Set([env.cwd]),
): Generator<{ readonly agent: Agent; readonly ref: SessionRef }> {
  for (const agent of agents) {
    if (agent.asksProjects) continue;
    for (const ref of agent.locate(env)) yield { agent, ref };
  }
  for (const agent of agents) {
    if (!agent.asksProjects) continue;
    for (const ref of agent.locate(env, { projects: [...projects] })) yield { agent, ref };
  }
}

/** The agents that must be asked for the sessions of some: projects are learnt from every agent's. */
export function askedFor(wanted: readonly Agent[], all: readonly Agent[]): readonly Agent[] {
  return wanted.some(({ asksProjects }) => asksProjects) ? all : wanted;
}
