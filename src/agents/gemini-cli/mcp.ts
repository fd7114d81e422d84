import { join } from "node:path";
import type { AgentMcp } from "../mcp-contract.ts";
import { geminiRoot } from "./roots.ts";

/** How Gemini CLI is reported MCP servers. */
export const mcp: AgentMcp = {
  form: "json",
  servers: "mcpServers",
  file: (scope, env) =>
    join(scope === "project" ? join(env.cwd, ".gemini") : geminiRoot(env), "settings.json"),
  entry: ({ command, args }) => ({ command, args }),
};
