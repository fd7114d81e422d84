import { join } from "node:path";
import type { Environment } from "../base/env.ts";
import type { AgentMcp } from "./mcp-contract.ts";

/** How VS Code is reported MCP servers. It is here for that alone: its sessions are not read. */
export const vscodeMcp: AgentMcp = {
  form: "json",
  servers: "servers",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the agent replaces it
  folder: "${workspaceFolder}",
  file: (scope, env) =>
    scope === "project"
      ? join(env.cwd, ".vscode", "mcp.json")
      : join(settingsFolder(env), "mcp.json"),
  entry: ({ command, args }) => ({ type: "stdio", command, args }),
};

function settingsFolder({ platform, home, variables }: Environment): string {
  if (platform === "darwin") return join(home, "Library", "Application Support", "Code", "User");
  const named = variables[platform === "win32" ? "APPDATA" : "XDG_CONFIG_HOME"];
  const usual = platform === "win32" ? join("AppData", "Roaming") : ".config";
  return join(named || join(home, usual), "Code", "User");
}
