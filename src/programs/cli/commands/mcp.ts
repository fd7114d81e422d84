import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { HookScope } from "../../../agents/hooks-contract.ts";
import { loadAgent, mcpNames as names } from "../../../agents/registry.ts";
import type { Environment } from "../../../base/env.ts";
import { RepriseError } from "../../../base/errors.ts";
import { folderExists } from "../../../base/folders.ts";
import { planMcpInstall, planMcpUninstall } from "../../../bridge/install/mcp/install.ts";
import { type McpClient, mcpClients } from "../../../bridge/install/mcp/server.ts";
import { installedServer } from "../../../bridge/install/mcp/status.ts";
import { toolNames } from "../../mcp/tool-names.ts";
import { mcpReport } from "../render/mcp-report.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { yesFlag } from "../run/plan.ts";
import { carryOut } from "../run/settings-plan.ts";
import { homeOf } from "../sessions/native.ts";
import { askYesNo } from "../terminal/ask.ts";
import { isTerminal } from "../terminal/output.ts";

/** `reprise mcp`: the MCP server, and its place in the settings of agents. */
export const mcp: Command = {
  name: "mcp",
  summary: "serve sessions and memories to agents over MCP",
  details: `With the server an agent can search and read your sessions (${toolNames.sessions.join(", ")}), recall and remember
(${toolNames.memories.join(", ")}) and use checkpoints (${toolNames.checkpoints.join(", ")}). \`install\` adds the server to an
agent's own settings: comments, order and other servers stay, a backup is kept, and \`uninstall\` or \`reprise undo\` restores
the file. By default agents change nothing by themselves: what they remember waits in the inbox, a list that you approve or
reject with \`reprise memory inbox\`. With --write it is kept at once, and agents may forget their memories and take checkpoints.
On a terminal \`install\` asks which of the two you want; --inbox is the default without the question. Without an action the
server runs: it speaks MCP on standard input and output and ends when the agent does. See docs/mcp.md.`,
  args: [
    { name: "[action]", says: "one of the actions above (default: run the server)" },
    { name: "[agents...]", says: `${names.join(", ")} or all (default: those you have)` },
  ],
  actions: [
    { name: "install", takes: "[agents...]", says: "add the server to the settings of agents" },
    { name: "uninstall", also: ["remove"], takes: "[agents...]", says: "remove it from them" },
    { name: "status", takes: "[agents...]", says: "list where it is installed" },
  ],
  flags: [
    {
      flags: "--write",
      says: "keep what agents remember at once; let them forget and take checkpoints",
      kind: "switch",
    },
    {
      flags: "--inbox",
      says: "do not ask: what agents remember waits for your approval (the default)",
      kind: "switch",
      of: ["install"],
    },
    { flags: "--project", says: "use this project's settings, not the user's", kind: "switch" },
    {
      flags: "--folder <folder>",
      says: "serve: the project (default: the current folder)",
      kind: "text",
    },
    yesFlag,
  ],
  examples: [
    { line: "reprise mcp install claude-code", says: "show what would change" },
    { line: "reprise mcp install all --yes", says: "for every agent" },
    { line: "reprise mcp status", says: "where the server is installed" },
    { line: "reprise mcp", says: "runs the server; agents start it by themselves" },
  ],
  json: `install, uninstall: { changes: { agent: string, file: string, new: boolean, removed: boolean, text?: string }[],
  remarks: string[], done: boolean, entries?: number[] }
status: { agents: { agent: string, installed: { scope: "user" | "project", file: string, argv: string[], write: boolean,
  dead: string[], remark?: string }[] }[] }`,
  withoutAgents: true,
  changes: ({ args, flags }) =>
    ["install", "uninstall"].includes(args[0] ?? "") && flags.isSet("yes"),
  run: async (invocation, context) => {
    const [action, ...given] = invocation.args;
    if (action === undefined) return serve(invocation, context);
    const run = actions.get(action);
    if (run === undefined) {
      throw new RepriseError("usage", `Not an action: ${JSON.stringify(action)}.`, {
        hint: "Use install, uninstall or status; without an action it is the server.",
      });
    }
    return run(await chosenClients(given, action, context), invocation, context);
  },
};

type Action = (
  chosen: readonly McpClient[],
  invocation: Invocation,
  context: CommandContext,
) => Promise<void>;

const actions: ReadonlyMap<string, Action> = new Map([
  ["install", install],
  ["uninstall", uninstall],
  ["status", status],
]);

async function serve({ flags }: Invocation, { env, out }: CommandContext): Promise<void> {
  if (isTerminal(0))
    out.note(
      "This is a server that agents start; it waits for messages. `reprise mcp install <agent>` installs it. Ctrl-C ends it.",
    );
  const { serveMcp } = await import("../../mcp/serve.ts");
  await serveMcp({
    env: { ...env, cwd: folderOf(flags.text("folder"), env) },
    write: flags.isSet("write"),
  });
}

/** The folder that a client named, if it is one: some pass on names that they should have replaced. */
function folderOf(named: string | undefined, { cwd }: Environment): string {
  const folder = named === undefined ? cwd : resolve(cwd, named);
  return folderExists(folder) ? folder : cwd;
}

/** Those that were named; if none is, those the user has. */
async function chosenClients(
  given: readonly string[],
  action: string,
  { env }: CommandContext,
): Promise<readonly McpClient[]> {
  const known = await mcpClients();
  if (given.includes("all")) return known;
  if (given.length === 0) {
    const present = known.filter((client) => isPresent(client, env));
    if (present.length > 0) return present;
    if (action === "status") return known;
    throw new RepriseError("not_found", "No agent that speaks MCP was found in this home.", {
      hint: `Name one: ${names.join(", ")}.`,
    });
  }
  return [...new Set(given)].map((name) => {
    const found = known.find(({ agent }) => agent === name);
    if (found !== undefined) return found;
    throw new RepriseError(
      "usage",
      `${JSON.stringify(name)} is not an agent that takes MCP servers.`,
      {
        hint: `There are ${names.join(", ")}, and all.`,
      },
    );
  });
}

function isPresent({ agent, mcp: { file } }: McpClient, env: Environment): boolean {
  const path = file("user", env);
  if (path === undefined) return false;
  // Its settings lie beside its folder, in the home of everything.
  return folderExists(agent === "claude-code" ? resolve(env.home, ".claude") : dirname(path));
}

function scopeOf({ flags }: Invocation): HookScope {
  return flags.isSet("project") ? "project" : "user";
}

async function install(
  chosen: readonly McpClient[],
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const { flags } = invocation;
  const isSaid = flags.isSet("write") || flags.isSet("inbox");
  const write = isSaid
    ? flags.isSet("write")
    : await askYesNo(
        "May agents write? If not, what they remember waits in the inbox (`reprise memory inbox`).",
        context,
      );
  const program = { node: process.execPath, script: realpathSync(process.argv[1] ?? "") };
  const options = { scope: scopeOf(invocation), env: context.env, program, write };
  const plans = chosen.map((client) => planMcpInstall(client, options));
  const changes = plans.flatMap((plan) => plan.changes);
  const titles = await Promise.all(
    // One of them has no sessions, and so no title.
    chosen.map(async ({ agent }) => (await loadAgent(agent))?.title ?? agent),
  );
  const remarks = [...plans.flatMap((plan) => plan.remarks), abilities(titles, write)];
  await carryOut(
    { changes, remarks, nothing: "The server is installed already." },
    invocation,
    context,
  );
}

/** What agents can do once the server is there. */
function abilities(titles: readonly string[], write: boolean): string {
  const kept = write ? "" : " What agents remember waits in `reprise memory inbox`.";
  return `${titles.join(", ")} can now search and read your sessions, recall and remember.${kept}`;
}

async function uninstall(
  chosen: readonly McpClient[],
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const options = { scope: scopeOf(invocation), env: context.env, home: homeOf(context) };
  const changes = chosen.flatMap((client) => planMcpUninstall(client, options));
  await carryOut(
    { changes, remarks: [], nothing: "The server is not installed." },
    invocation,
    context,
  );
}

async function status(
  chosen: readonly McpClient[],
  _invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const { env } = context;
  const agents = chosen.map((client) => ({
    agent: client.agent,
    installed: (["user", "project"] as const)
      // In the home folder both scopes may be one file.
      .filter(
        (scope) => scope === "user" || client.mcp.file(scope, env) !== client.mcp.file("user", env),
      )
      .flatMap((scope) => installedServer(client, scope, env) ?? []),
  }));
  if (context.json) return context.out.writeJson({ agents });
  await context.out.write(mcpReport(agents, context));
}
