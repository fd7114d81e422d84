import type { Environment } from "../../base/env.ts";
import type { AgentUsage, UsagePlace } from "../usage-contract.ts";
import { locate, unreadable } from "./locate.ts";

/** Counts what OpenCode's messages record: its sessions are rows, so they are read. */
export const usage: AgentUsage = {
  version: 1,
  places,
  events: { reasoningApart: true, copiesByMoment: true },
};

function* places(env: Environment): Generator<UsagePlace> {
  for (const ref of locate(env)) if (ref.session !== unreadable) yield ref;
}
