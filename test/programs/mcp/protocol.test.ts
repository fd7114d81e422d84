import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { toolNames } from "../../../src/programs/mcp/tool-names.ts";
import { machine, program } from "../../e2e/program.ts";
import { openClient } from "./client.ts";

const names = [
  "search_sessions",
  "get_session",
  "list_sessions",
  "recall",
  "remember",
  "propose_memory",
  "forget",
  "handoff",
  "checkpoint",
  "rewind_plan",
  "blame",
];

test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
  "a client of protocol %s is welcomed in it, and sees every tool, resource and prompt",
  async (protocol) => {
    const client = await openClient(machine(), { protocol });
    expect(client.welcome["protocolVersion"]).toBe(protocol);
    const tools = await client.list("tools");
    expect(tools.map(({ name }) => name)).toEqual(names);
    for (const { inputSchema } of tools)
      expect(inputSchema.properties).toHaveProperty("max_tokens");
    const prompts = await client.list("prompts");
    expect(prompts.map(({ name }) => name)).toEqual(["take-over", "hand-over"]);
    const { result: templates } = await client.request("resources/templates/list");
    expect(templates?.["resourceTemplates"]).toHaveLength(2);
    expect(await client.close()).toBe(0);
  },
);

test("the names that the help of `reprise mcp` has are those of the tools", () => {
  expect(Object.values(toolNames).flat().toSorted()).toEqual(names.toSorted());
  expect(machine().run("mcp", "--help").stdout.replace(/\s+/g, " ")).toContain(
    toolNames.sessions.join(", "),
  );
});

test("a client of protocol 2026-07-28 is served without a handshake", async () => {
  const client = await openClient(machine(), { modern: true });
  const { result: about } = await client.request("server/discover");
  expect(JSON.stringify(about)).toContain("2026-07-28");
  const tools = await client.list("tools");
  expect(tools.map(({ name }) => name)).toEqual(names);
  expect((await client.call("list_sessions")).text).toContain("There are no such sessions.");
  expect(await client.close()).toBe(0);
});

test("with the right to write the same tools are listed, and what only reads says so", async () => {
  const client = await openClient(machine(), { args: ["--write"] });
  const tools = await client.list("tools");
  expect(tools.map(({ name }) => name)).toEqual(names);
  const writing = tools.filter(({ annotations }) => annotations["readOnlyHint"] !== true);
  expect(writing.map(({ name }) => name)).toEqual([
    "remember",
    "propose_memory",
    "forget",
    "checkpoint",
  ]);
  const removing = tools.filter(({ annotations }) => annotations["destructiveHint"] === true);
  expect(removing.map(({ name }) => name)).toEqual(["forget"]);
  await client.close();
});

test("the server ends when its input does, also while calls wait, and leaves no process behind", async () => {
  const client = await openClient(machine());
  for (let index = 0; index < 50; index += 1)
    void client.request("tools/call", { name: "list_sessions", arguments: {} });
  expect(await client.close()).toBe(0);
  expect(() => process.kill(client.child.pid!, 0)).toThrow();
});

test("a client that is killed takes its server with it", async () => {
  const here = machine();
  const script = `
    const { spawn } = require("node:child_process");
    const server = spawn(process.execPath, [${JSON.stringify(program)}, "mcp"], { stdio: ["pipe", "pipe", "ignore"] });
    server.stdout.once("data", () => console.log(server.pid));
    server.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "a", version: "1" } } }) + "\\n");
  `;
  const parent = spawn(process.execPath, ["-e", script], { cwd: here.cwd, env: here.env });
  const [said] = (await once(parent.stdout!, "data")) as [Buffer];
  const pid = Number(said.toString());
  parent.kill("SIGKILL");
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
