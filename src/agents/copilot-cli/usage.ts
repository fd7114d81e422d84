import type { AgentUsage } from "../usage-contract.ts";
import { CopilotLines } from "./usage/lines.ts";

/** Counts what Copilot CLI's sessions record. */
export const usage: AgentUsage = {
  version: 1,
  lines: (table, { carry }) => new CopilotLines(table, carry),
};
