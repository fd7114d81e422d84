import { join } from "node:path";
import type { AgentMcp } from "../mcp-contract.ts";
import { copilotRoot } from "./roots.ts";

/** How Copilot CLI is reported MCP servers; projects have no file of their own for it. */
export const mcp: AgentMcp = {
  form: "json",
  servers: "mcpServers",
  file: (scope, env) =>
    scope === "project" ? undefined : join(copilotRoot(env), "mcp-config.json"),
  entry: ({ command, args }) => ({ type: "local", command, args, tools: ["*"] }),
};
