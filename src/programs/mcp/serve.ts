import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createServer, type ServerOptions } from "./server.ts";
import { LineTransport } from "./transport.ts";

/**
 * Serves one client on standard input and output until it closes its end; then the process ends, whatever it was doing.
 * Nothing else may write to standard output meanwhile.
 */
export async function serveMcp(options: ServerOptions): Promise<void> {
  const transport = new LineTransport(process.stdin, process.stdout);
  const handle = serveStdio(() => createServer(options), { transport });
  await transport.ended;
  await handle.close();
  process.stdin.destroy();
}
