import { agentNames } from "../../agents/registry.ts";
import { timeOf } from "../../base/clock.ts";
import type { McpCall } from "./tool.ts";

/**
 * Whether something was said in the conversation that asks: by the agent the client belongs to, since it started the
 * server. It would always answer best, and say nothing new.
 */
export function isOwnConversation({
  owner,
  startedMs,
}: McpCall): (said: { readonly agent: string; readonly at?: string | undefined }) => boolean {
  const own = agentNames().find((name) => owner === name || owner.startsWith(`${name}-`));
  return ({ agent, at }) =>
    agent === own && at !== undefined && (timeOf(at) ?? 0) >= secondOf(startedMs);
}

/** The index has times in whole seconds. */
function secondOf(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}
