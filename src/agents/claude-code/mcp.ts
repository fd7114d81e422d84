import { join } from "node:path";
import type { AgentMcp } from "../mcp-contract.ts";
import { rootOf } from "./roots.ts";

/** How Claude Code is reported MCP servers. */
export const mcp: AgentMcp = {
  form: "json",
  servers: "mcpServers",
  file: (scope, env) => {
    if (scope === "project") return join(env.cwd, ".mcp.json");
    // Beside its folder, unless that was named: then in it.
    const isNamed = (env.variables["CLAUDE_CONFIG_DIR"] ?? "") !== "";
    return join(isNamed ? rootOf(env) : env.home, ".claude.json");
  },
  entry: ({ command, args }) => ({ type: "stdio", command, args, env: {} }),
};
