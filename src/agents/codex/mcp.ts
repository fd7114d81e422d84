import { join } from "node:path";
import { RepriseError } from "../../base/errors.ts";
import type { AgentMcp, McpProgram } from "../mcp-contract.ts";
import { codexHome } from "./roots.ts";
import { type TomlTable, tomlTables } from "./toml-tables.ts";

const servers = "mcp_servers";

/** How Codex is reported MCP servers: a table `mcp_servers.<name>` in its TOML. */
export const mcp: AgentMcp = {
  form: "text",
  file: (scope, env) =>
    join(scope === "project" ? join(env.cwd, ".codex") : codexHome(env), "config.toml"),
  with: withServer,
  without: withoutServer,
  argvIn,
};

function withServer(text: string, name: string, { command, args }: McpProgram): string {
  const own = withoutServer(text, name);
  refuseOtherForms(own, name);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = [
    `[${servers}.${name}]`,
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map((word) => JSON.stringify(word)).join(", ")}]`,
    "",
  ];
  const ended = own === "" || own.endsWith("\n") ? own : own + newline;
  return `${ended}${ended === "" ? "" : newline}${lines.join(newline)}`;
}

/** Takes the table out with the empty line that came with it, so that the text is as it was. */
function withoutServer(text: string, name: string): string {
  const lines = text.split("\n");
  const mine = tablesOf(lines, name);
  const isMine = (index: number): boolean =>
    mine.some(({ from, to }) => index >= from && index < to);
  return lines.filter((_line, index) => !isMine(index)).join("\n");
}

function argvIn(text: string, name: string): readonly string[] | undefined {
  const lines = text.split("\n");
  const table = tablesOf(lines, name).find(({ name: words }) => words.length === 2);
  if (table === undefined) return undefined;
  const body = lines.slice(table.from, table.to).join("\n");
  const command = /^\s*command\s*=\s*(.*)$/m.exec(body)?.[1] ?? "";
  const args = /^\s*args\s*=\s*\[((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\]"'])*)\]/m.exec(body)?.[1] ?? "";
  return [...stringsIn(command).slice(0, 1), ...stringsIn(args)];
}

function stringsIn(text: string): readonly string[] {
  return [...text.matchAll(/("(?:[^"\\]|\\.)*")|'([^']*)'/g)].map(([, double, single]) => {
    try {
      return double === undefined ? (single ?? "") : (JSON.parse(double) as string);
    } catch {
      return double ?? "";
    }
  });
}

/** The table of a server and those below it. */
function tablesOf(lines: readonly string[], server: string): readonly TomlTable[] {
  return tomlTables(lines).filter(
    ({ name: [first, second] }) => first === servers && second === server,
  );
}

/** A table that says the same in another way cannot be said twice. */
function refuseOtherForms(text: string, name: string): void {
  const dotted = new RegExp(`^\\s*(?:${servers}\\s*=|${servers}\\s*\\.|${name}\\s*[.=])`);
  const lines = text.split("\n");
  const isOther = tomlTables(lines).some(
    ({ name: words, from, to }) =>
      (words.length === 0 || (words.length === 1 && words[0] === servers)) &&
      lines.slice(from, to).some((line) => dotted.test(line)),
  );
  if (isOther)
    throw new RepriseError(
      "bad_input",
      `\`${servers}\` has a form that is not known; nothing was changed.`,
    );
}
