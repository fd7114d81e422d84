import type { HookScope } from "../../../agents/hooks-contract.ts";
import type { Environment } from "../../../base/env.ts";
import { RepriseError } from "../../../base/errors.ts";
import type { Home } from "../../../store/home.ts";
import { checkLasting, type HookProgram } from "../hook-command.ts";
import { edit, forgetting, type SettingsChange } from "../install.ts";
import {
  type McpClient,
  serverArgv,
  serverName,
  startsOurs,
  withoutServer,
  withServer,
} from "./server.ts";

/** Which server, for whom, where from. */
export interface McpInstallOptions {
  readonly scope: HookScope;
  readonly env: Environment;
  readonly program: HookProgram;
  /** Whether memories are kept and other changes made at once; if not, they wait in the inbox. */
  readonly write: boolean;
}

/** The change that makes a program start our server; none if it does already. Remarks are for the user. */
export function planMcpInstall(
  { agent, mcp }: McpClient,
  { scope, env, program, write }: McpInstallOptions,
): { readonly changes: readonly SettingsChange[]; readonly remarks: readonly string[] } {
  checkLasting(program);
  const file = mcp.file(scope, env);
  if (file === undefined) throw noSuchScope(agent, scope);
  const folder = mcp.folder === undefined ? [] : ["--folder", mcp.folder];
  const args = [program.script, "mcp", ...(write ? ["--write"] : []), ...folder];
  const wanted = { command: program.node, args };
  const change = edit(agent, file, (text) => {
    const argv = serverArgv(mcp, text);
    if (argv !== undefined && !startsOurs(argv))
      throw new RepriseError("conflict", `Another server is called ${serverName} there.`);
    const isThere = argv?.join("\0") === [wanted.command, ...args].join("\0");
    return isThere ? text : withServer(mcp, text, wanted);
  });
  return {
    changes: change.before === change.after ? [] : [{ ...change, about: "mcp" }],
    remarks: mcp.remark === undefined ? [] : [mcp.remark],
  };
}

/** The change that makes a program forget our server: the file as it was if nobody touched it, else without our entry. */
export function planMcpUninstall(
  { agent, mcp }: McpClient,
  {
    scope,
    env,
    home,
  }: { readonly scope: HookScope; readonly env: Environment; readonly home: Home },
): readonly SettingsChange[] {
  const file = mcp.file(scope, env);
  if (file === undefined) return [];
  return forgetting(
    { agent, file, home, about: "mcp" },
    {
      isOurs: (text) => startsOurs(serverArgv(mcp, text) ?? []),
      without: (text) => withoutServer(mcp, text),
    },
  );
}

function noSuchScope(agent: string, scope: HookScope): RepriseError {
  return new RepriseError(
    "unsupported",
    `${agent} has no settings for MCP servers of a ${scope}.`,
    {
      hint: "Leave --project out: the server is then there in every project.",
    },
  );
}
