import type { InstalledServer } from "../../../bridge/install/mcp/status.ts";
import type { CommandContext } from "../run/command.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { homely } from "./path-text.ts";
import { scopeText } from "./scope-text.ts";

/** Where the MCP server is installed, for people. */
export function mcpReport(
  agents: readonly { readonly agent: string; readonly installed: readonly InstalledServer[] }[],
  { colours, env }: Pick<CommandContext, "colours" | "env">,
): string {
  return agents
    .map(({ agent, installed }) => {
      const lines = installed.flatMap(({ scope, file, write, dead, remark }) => [
        remark === undefined
          ? `  installed ${scopeText(scope)} in ${safeLine(homely(file, env))}; ${write ? "agents may write" : "memories of agents wait in the inbox"}`
          : `  ${scopeText(scope)} in ${safeLine(homely(file, env))}:`,
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
