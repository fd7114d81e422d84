import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Machine } from "../../e2e/program.ts";
import { program } from "../../e2e/program.ts";

/** A message of the server. */
export interface Answer {
  readonly id?: string | number | null;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** What a tool said. */
export interface Said {
  readonly text: string;
  readonly isError: boolean;
}

/** A tool, prompt or resource as it is listed. */
export interface Listed {
  readonly name: string;
  readonly uri: string;
  readonly inputSchema: { readonly properties: Record<string, unknown> };
  readonly annotations: Record<string, boolean>;
}

/** A client that speaks to the built server over its pipes. */
export interface Client {
  readonly child: ChildProcess;
  /** What `initialize` was answered. */
  readonly welcome: Record<string, unknown>;
  /** Sends bytes as they are. */
  send(text: string): void;
  request(method: string, params?: object): Promise<Answer>;
  call(tool: string, given?: object): Promise<Said>;
  /** What `<what>/list` names. */
  list(what: "tools" | "prompts" | "resources"): Promise<readonly Listed[]>;
  /** The next message without an id that was asked for. */
  unasked(): Promise<Answer>;
  /** Closes the server's input and waits for its end. */
  close(): Promise<number | null>;
}

/** How a client introduces itself. */
export interface ClientOptions {
  readonly args?: readonly string[];
  readonly protocol?: string;
  readonly name?: string;
  readonly cwd?: string;
  /** Speaks the newest protocol, which has no `initialize`. */
  readonly modern?: boolean;
}

/** Starts the server and introduces a client. */
export async function openClient(here: Machine, options: ClientOptions = {}): Promise<Client> {
  const { args = [], protocol = "2025-06-18", name = "test-client", modern = false } = options;
  const child = spawn(process.execPath, [program, "mcp", ...args], {
    cwd: options.cwd ?? here.cwd,
    env: here.env,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  const strays: Answer[] = [];
  const wanted: ((answer: Answer) => void)[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const answer = JSON.parse(line) as Answer;
      const taker = typeof answer.id === "number" ? waiting.get(answer.id) : undefined;
      if (taker !== undefined) taker(answer);
      else if (wanted.length > 0) wanted.shift()!(answer);
      else strays.push(answer);
    }
  });
  child.stdin.on("error", () => undefined);
  let id = 0;
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name, version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const request: Client["request"] = (method, params = {}) => {
    id += 1;
    const own = id;
    const full = modern ? { ...params, _meta: envelope } : params;
    return new Promise((resolve) => {
      waiting.set(own, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: own, method, params: full })}\n`);
    });
  };
  const call: Client["call"] = async (tool, given = {}) => {
    const { result, error } = await request("tools/call", { name: tool, arguments: given });
    if (result === undefined) throw new Error(`${tool}: ${error?.message}`);
    const [first] = result["content"] as readonly { readonly text: string }[];
    return { text: first?.text ?? "", isError: result["isError"] === true };
  };
  let welcome: Record<string, unknown> = {};
  if (!modern) {
    const hello = {
      protocolVersion: protocol,
      capabilities: {},
      clientInfo: { name, version: "1" },
    };
    welcome = (await request("initialize", hello)).result ?? {};
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }
  return {
    child,
    welcome,
    request,
    call,
    list: async (what) => {
      const { result = {} } = await request(`${what}/list`);
      return result[what] as readonly Listed[];
    },
    send: (text) => void child.stdin.write(text),
    unasked: () =>
      new Promise((resolve) => {
        const stray = strays.shift();
        if (stray === undefined) wanted.push(resolve);
        else resolve(stray);
      }),
    close: async () => {
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      return child.exitCode;
    },
  };
}
