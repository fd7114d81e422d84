import type { AgentMcp, McpProgram } from "../../../agents/mcp-contract.ts";
import { loadMcp, mcpNames } from "../../../agents/registry.ts";
import { argvOfEntry, withEntry, withoutEntry } from "../settings-file/server-entry.ts";

/** What our server is called in every agent's settings. */
export const serverName = "reprise";

/** A program that can start our server, and how it is reported. */
export interface McpClient {
  readonly agent: string;
  readonly mcp: AgentMcp;
}

/** Every program that can start our server, in the order of the registry. */
export async function mcpClients(): Promise<readonly McpClient[]> {
  const found = await Promise.all(
    mcpNames.map(async (agent) => ({ agent, mcp: await loadMcp(agent) })),
  );
  return found.flatMap(({ agent, mcp }) => (mcp === undefined ? [] : [{ agent, mcp }]));
}

/** The settings with our server in them. */
export function withServer(mcp: AgentMcp, text: string, program: McpProgram): string {
  return mcp.form === "text"
    ? mcp.with(text, serverName, program)
    : withEntry(text, { holder: mcp.servers, name: serverName }, mcp.entry(program));
}

/** The settings without it. */
export function withoutServer(mcp: AgentMcp, text: string): string {
  return mcp.form === "text"
    ? mcp.without(text, serverName)
    : withoutEntry(text, { holder: mcp.servers, name: serverName });
}

/** The words that start the server of our name, anyone who put it there; undefined if there is none. */
export function serverArgv(mcp: AgentMcp, text: string): readonly string[] | undefined {
  return mcp.form === "text"
    ? mcp.argvIn(text, serverName)
    : argvOfEntry(text, { holder: mcp.servers, name: serverName });
}

/** Whether words start our server: this program, then `mcp`. */
export function startsOurs(argv: readonly string[]): boolean {
  return argv.some(
    (word, index) => /(?:^|[\\/])reprise(?:\.js|\.cmd)?$/.test(word) && argv[index + 1] === "mcp",
  );
}
