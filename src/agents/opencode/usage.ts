import type { AgentUsage } from "../usage-contract.ts";

/** Counts what OpenCode's messages record: its sessions are rows, so they are read. */
export const usage: AgentUsage = {
  version: 1,
  events: { reasoningApart: true, copiesByMoment: true },
};
