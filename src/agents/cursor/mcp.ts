import { join } from "node:path";
import type { AgentMcp } from "../mcp-contract.ts";

/** How Cursor is reported MCP servers. */
export const mcp: AgentMcp = {
  form: "json",
  servers: "mcpServers",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the agent replaces it
  folder: "${workspaceFolder}",
  file: (scope, env) => join(scope === "project" ? env.cwd : env.home, ".cursor", "mcp.json"),
  entry: ({ command, args }) => ({ command, args }),
};
