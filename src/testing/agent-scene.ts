import type { Agent, AgentEvent, ReadOptions, SessionRef } from "../agents/contract.ts";
import type { Environment } from "../base/env.ts";

/** A machine with sessions of the agent on it, to prove a reader with. */
export interface AgentScene {
  readonly agent: Agent;
  /** Its environment points into `folder`. */
  readonly env: Environment;
  readonly folder: string;
  /** The ids of the sessions that lie there. */
  readonly sessions: readonly string[];
}

/** One thing every reader must do. */
export interface AgentCase {
  readonly name: string;
  run(scene: AgentScene): Promise<void>;
}

/** What was located and is a session: a file may turn out to be none once its head is read. */
export function refsOf({ agent, env }: AgentScene): readonly SessionRef[] {
  return [...agent.locate(env)].filter((ref) => agent.head(ref, env) !== undefined);
}

/** The events of a session as a caller holds them in the end. */
export async function eventsOf(
  agent: Agent,
  ref: SessionRef,
  options: ReadOptions,
): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const batch of agent.read(ref, options)) {
    if (batch.restart) events.length = 0;
    events.push(...batch.events);
  }
  return events;
}
