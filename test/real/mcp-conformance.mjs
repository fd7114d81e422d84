// The official conformance scenarios for MCP servers, as far as they are about what this server has: tools, resources and
// prompts over whichever protocol. The scenarios speak HTTP; a bridge passes each message on to the real server's pipes.
//
//   node test/real/mcp-conformance.mjs [--keep]
import { spawn } from "node:child_process";
import { mkdirSync, realpathSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../temporary-folder.mjs";
import { run } from "./home.mjs";
import { installed } from "./install.mjs";

const reprise = fileURLToPath(new URL("../../dist/bin/reprise.js", import.meta.url));

/** It needs a newer Node than the oldest we promise; so the server runs on that one too. */
const conformance = {
  agent: "mcp-conformance",
  version: "0.2.0-alpha.12",
  spec: "@modelcontextprotocol/conformance@0.2.0-alpha.12",
  start: "@modelcontextprotocol/conformance/dist/index.js",
  node: "22.23.3",
};

/**
 * By protocol. The other scenarios ask for tools, resources and prompts of the suite's own making, or are about HTTP,
 * logging, sampling, elicitation and extensions, which this server does not offer.
 */
const scenarios = {
  "2025-06-18": ["server-initialize", "ping", "tools-list", "resources-list", "prompts-list"],
  "2025-11-25": ["server-initialize", "ping", "tools-list", "resources-list", "prompts-list"],
  "2026-07-28": [
    "tools-list",
    "resources-list",
    "prompts-list",
    "sep-2164-resource-not-found",
    "caching",
  ],
};

/** Every scenario that applies; returns what does not hold. */
export async function provenConformance({ root, say = () => undefined }) {
  const { argv } = await installed(conformance);
  const home = join(root, "conformance");
  const cwd = join(home, "project");
  mkdirSync(cwd, { recursive: true });
  const env = { HOME: home, PATH: "/usr/bin:/bin", REPRISE_NO_DRAIN: "1" };
  await run([argv[0], reprise, "memory", "store", "test command", "npm test"], { cwd, env });
  const bridge = await startBridge([argv[0], reprise, "mcp"], { cwd, env });
  const problems = [];
  try {
    for (const [protocol, names] of Object.entries(scenarios)) {
      for (const name of names) {
        const args = [
          "server",
          "--url",
          bridge.url,
          "--scenario",
          name,
          "--spec-version",
          protocol,
        ];
        const ended = await run([...argv, ...args], { cwd: home, env });
        const passed = /Passed: (\d+)\/(\d+)/.exec(ended.output);
        say(`${protocol} ${name}: ${ended.code === 0 ? (passed?.[0] ?? "ok") : "FAILED"}`);
        if (ended.code !== 0 || passed === null || passed[1] !== passed[2])
          problems.push(`${protocol} ${name}: ${ended.said()}`);
      }
    }
    return problems;
  } finally {
    bridge.stop();
  }
}

/** A server on HTTP that passes each message on to a process of its own for each session, and its answer back. */
async function startBridge(argv, options) {
  const pipes = new Map();
  const pipeFor = (session) => {
    if (!pipes.has(session)) pipes.set(session, openPipe(argv, options));
    return pipes.get(session);
  };
  const server = createServer(async (request, response) => {
    if (request.method !== "POST")
      return response.writeHead(request.method === "DELETE" ? 200 : 405).end();
    let text = "";
    for await (const chunk of request) text += chunk;
    const message = JSON.parse(text);
    const session =
      request.headers["mcp-session-id"] ??
      (message.method === "initialize" ? `s${pipes.size}` : "none");
    const pipe = pipeFor(session);
    if (message.id === undefined) {
      pipe.send(text);
      return response.writeHead(202).end();
    }
    const answer = await pipe.ask(message);
    const headers = { "content-type": "application/json" };
    if (message.method === "initialize") headers["mcp-session-id"] = session;
    // As the protocol without sessions says it over HTTP.
    const isModern = session === "none";
    const status =
      answer.error === undefined || !isModern ? 200 : answer.error.code === -32_601 ? 404 : 400;
    response.writeHead(status, headers).end(JSON.stringify(answer));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    stop() {
      for (const pipe of pipes.values()) pipe.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

function openPipe([file, ...args], { cwd, env }) {
  const child = spawn(file, args, { cwd, env, stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message);
    }
  });
  const send = (text) => child.stdin.write(`${text.replaceAll("\n", " ")}\n`);
  return {
    send,
    // Sessions without a number share a process: ids must not meet.
    ask(message) {
      return new Promise((resolve) => {
        const id = `${waiting.size}`;
        waiting.set(id, (answer) => resolve({ ...answer, id: message.id }));
        send(JSON.stringify({ ...message, id }));
      });
    },
    close: () => child.stdin.end(),
  };
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const say = (text) => process.stdout.write(`${text}\n`);
  const problems = await provenConformance({ root: temporaryFolder(), say });
  for (const problem of problems) say(problem);
  process.exit(problems.length === 0 ? 0 : 1);
}
