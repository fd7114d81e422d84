import { join } from "node:path";
import { exists } from "../../base/disk.ts";
import type { AgentMcp } from "../mcp-contract.ts";
import { configRoot } from "./roots.ts";

/** How OpenCode is reported MCP servers. */
export const mcp: AgentMcp = {
  form: "json",
  servers: "mcp",
  file: (scope, env) => {
    const folder = scope === "project" ? env.cwd : configRoot(env);
    const withComments = join(folder, "opencode.jsonc");
    return exists(withComments) ? withComments : join(folder, "opencode.json");
  },
  entry: ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true }),
};
