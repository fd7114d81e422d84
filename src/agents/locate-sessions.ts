import type { Environment } from "../base/env.ts";
import { userHome } from "../store/home.ts";
import { sourcesOf } from "../store/sources.ts";
import type { Agent, SessionRef } from "./contract.ts";
import { placeOf, sessionsInSource } from "./source-places.ts";

/**
 * Every session on the machine, by stat only: those in their agents' own places, then those in the sources the user added.
 * Agents that ask for projects come after the others: what the caller adds to `projects` meanwhile is known to them.
 */
export function* locateAll(
  agents: readonly Agent[],
  env: Environment,
  projects: ReadonlySet<string> = new Set([env.cwd]),
): Generator<{ readonly agent: Agent; readonly ref: SessionRef }> {
  const sources = sourcesOf(userHome(env));
  const seen = new Set<string>();
  // A source may hold what is found anyway.
  const noted = (agent: Agent, ref: SessionRef): { agent: Agent; ref: SessionRef } => {
    if (sources.length > 0) seen.add(placeOf(ref));
    return { agent, ref };
  };
  for (const agent of agents) {
    if (agent.asksProjects) continue;
    for (const ref of agent.locate(env)) yield noted(agent, ref);
  }
  for (const agent of agents) {
    if (!agent.asksProjects) continue;
    for (const ref of agent.locate(env, { projects: [...projects] })) yield noted(agent, ref);
  }
  for (const source of sources) {
    for (const agent of agents) {
      for (const ref of sessionsInSource(source, agent, env))
        if (!seen.has(placeOf(ref))) yield noted(agent, ref);
    }
  }
}

/** The agents that must be asked for the sessions of some: projects are learnt from every agent's. */
export function askedFor(wanted: readonly Agent[], all: readonly Agent[]): readonly Agent[] {
  return wanted.some(({ asksProjects }) => asksProjects) ? all : wanted;
}
