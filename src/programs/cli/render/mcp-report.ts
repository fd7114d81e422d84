import type { InstalledServer } from "../../../bridge/install/mcp/status.ts";
import type { CommandContext } from "../run/command.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { homely } from "./path-text.ts";

/** Where the MCP server is installed, for people. */
export function mcpReport(
  agents: readonly { readonly agent: string; readonly installed: readonly InstalledServer[] }[],
  { colours, env }: Pick<CommandContext, "colours" | "env">,
): string {
  return agents
    .map(({ agent, installed }) => {
      const lines = installed.flatMap(({ scope, file, write, dead, remark }) => [
        `  ${scope}  ${safeLine(homely(file, env))}  ${remark === undefined ? (write ? "agents may write" : "what agents remember waits in the inbox") : ""}`.trimEnd(),
        ...dead.map((path) =>
          colours.red(`    not there any more: ${safeLine(homely(path, env))}; install again`),
        ),
        ...(remark === undefined ? [] : [colours.yellow(`    ${safeLine(remark)}`)]),
      ]);
      const shown = lines.length === 0 ? ["  not installed"] : lines;
      return `${colours.bold(agent)}\n${shown.join("\n")}\n`;
    })
    .join("");
}
