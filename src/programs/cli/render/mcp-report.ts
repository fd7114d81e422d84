import type { InstalledServer } from "../../../bridge/install/mcp/status.ts";
import type { CommandContext } from "../run/command.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** Where the MCP server is installed, for people. */
export function mcpReport(
  agents: readonly { readonly agent: string; readonly installed: readonly InstalledServer[] }[],
  { colours }: Pick<CommandContext, "colours">,
): string {
  return agents
    .map(({ agent, installed }) => {
      const lines = installed.flatMap(({ scope, file, write, dead, remark }) => [
        `  ${scope}  ${safeLine(file)}  ${remark === undefined ? (write ? "may write" : "inbox") : ""}`.trimEnd(),
        ...dead.map((path) =>
          colours.red(`    not there any more: ${safeLine(path)}; install again`),
        ),
        ...(remark === undefined ? [] : [colours.yellow(`    ${safeLine(remark)}`)]),
      ]);
      const shown = lines.length === 0 ? ["  not installed"] : lines;
      return `${colours.bold(agent)}\n${shown.join("\n")}\n`;
    })
    .join("");
}
