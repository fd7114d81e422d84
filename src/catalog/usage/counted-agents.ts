import type { Agent } from "../../agents/contract.ts";
import { isInSources } from "../../agents/source-places.ts";
import type { AgentUsage } from "../../agents/usage-contract.ts";
import { exists } from "../../base/disk.ts";
import type { Environment } from "../../base/env.ts";

/** An agent, and how its usage is counted. */
export interface CountedAgent {
  readonly agent: Agent;
  readonly usage: AgentUsage;
}

/** Agents by name, and how the usage of each is counted. */
export type CountedAgents = ReadonlyMap<string, CountedAgent>;

/** Those of the agents that may have sessions here, ready to be counted. */
export async function countedAgents(
  agents: readonly Agent[],
  env: Environment,
): Promise<CountedAgents> {
  const here = agents.filter(
    (agent) => agent.roots(env).some((root) => exists(root)) || isInSources(agent, env),
  );
  return new Map(await Promise.all(here.map(countedAgent)));
}

/** One agent, ready to be counted. */
export async function countedAgent(agent: Agent): Promise<[string, CountedAgent]> {
  const usage = (await agent.usage?.()) ?? { version: agent.revision };
  return [agent.name, { agent, usage }];
}
