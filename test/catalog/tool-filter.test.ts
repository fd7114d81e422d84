import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadAgents } from "../../src/agents/registry.ts";
import { limits } from "../../src/base/limits.ts";
import { AwaitedCalls } from "../../src/catalog/index/awaited-calls.ts";
import type { SearchRequest } from "../../src/catalog/query/request.ts";
import { Connection } from "../../src/sqlite/connection.ts";
import { Conversation } from "./conversation.ts";
import { bothWays, emptyHome, find, places } from "./home.ts";

test("what a tool answered is found by the tool's name, though only the call has it", async () => {
  const env = emptyHome();
  const { id } = new Conversation(env, 1)
    .user("start")
    .call("t1", "Bash", { command: "ls" })
    .call("t2", "mcp__git__log", {})
    .result("t2", "papaya commit")
    .result("t1", "papaya listing", true)
    .save();
  const at = (number: number): string => `claude-code:${id}@${number}`;
  expect(
    await bothWays(env, [
      "papaya tool:bash",
      "is:error tool:bash",
      "is:error tool:mcp",
      "tool:bash",
      "tool:mcp__git",
      "tool:git",
      "papaya -tool:bash",
      "papaya -tool:bash -tool:mcp",
      "tool:iserror",
    ]),
  ).toEqual([[at(5)], [at(5)], [], [at(2), at(5)], [at(3), at(4)], [], [at(4)], [], []]);
});

test("tool:bash and tool:shell mean the shell of every agent, its own name only its own", async () => {
  const env = emptyHome();
  const folder = join(env.home, ".codex", "sessions", "2026", "11", "15");
  mkdirSync(folder, { recursive: true });
  const session = "01900000-0000-7000-8000-000000000001";
  const timestamp = "2026-11-15T10:00:00.000Z";
  const records = [
    { type: "session_meta", payload: { id: session, timestamp, cwd: env.cwd } },
    item({ type: "function_call", name: "exec_command", arguments: '{"cmd":"ls"}', call_id: "c1" }),
    item({ type: "function_call_output", call_id: "c1", output: "guava listing" }),
  ];
  const lines = records.map((record) => `${JSON.stringify({ timestamp, ...record })}\n`);
  writeFileSync(join(folder, `rollout-2026-11-15T10-00-00-${session}.jsonl`), lines.join(""));
  const { id } = new Conversation(env, 1)
    .user("start")
    .call("t1", "Bash", { command: "ls" })
    .result("t1", "guava listing")
    .call("t2", "Read", { file_path: "guava.ts" })
    .save();
  const codex = `codex:${session}@3`;
  const claude = `claude-code:${id}@3`;
  expect(
    await bothWays(env, [
      "guava tool:shell",
      "guava tool:Bash",
      "guava tool:exec_command",
      "guava -tool:bash",
    ]),
  ).toEqual([[claude, codex], [claude, codex], [codex], [`claude-code:${id}@4`]]);
});

test("every agent that can be written for says which of its tools runs commands and which changes files", async () => {
  for (const { name, tools } of await loadAgents()) {
    if (tools === undefined) continue;
    const call = tools.spoken({ act: "shell", args: { command: "ls" }, extra: {} });
    expect(tools.actOf?.(call?.name ?? ""), name).toBe("shell");
    const args = { path: "a.ts", before: "a", after: "b" };
    const edit = tools.spoken({ act: "edit", args, extra: {} });
    expect(tools.actOf?.(edit?.name ?? ""), name).toBe("edit");
  }
});

test("a result that filters or a pattern find is shown with the call it answers", async () => {
  const env = emptyHome();
  new Conversation(env, 1)
    .user("start")
    .call("t1", "Bash", { command: "npm run guava\nls", description: "look" })
    .call("t2", "Read", { file_path: "guava.ts" })
    .result("t2", "File does not exist: papaya", true)
    .result("t1", "Exit code 2 papaya", true)
    .save();
  const callsOf = async (request: string | SearchRequest): Promise<unknown> =>
    (await find(env, request)).sessions.flatMap(({ events }) =>
      events.flatMap(({ kind, call }) => (kind === "tool_result" ? [call] : [])).sort(),
    );
  const both = ["$ npm run guava ls", "Read guava.ts"];
  expect(await callsOf("is:error")).toEqual(both);
  expect(await callsOf("papaya is:error")).toEqual(both);
  expect(await callsOf("papaya tool:bash")).toEqual(["$ npm run guava ls"]);
  expect(await callsOf({ text: "papaya", mode: "substring" })).toEqual(both);
  expect(await callsOf({ text: "papaya is:error", mode: "deep" })).toEqual(both);
  // Words alone are not worth reading a session for.
  expect(await callsOf("papaya")).toEqual([undefined, undefined]);
});

function item(payload: unknown): { readonly type: string; readonly payload: unknown } {
  return { type: "response_item", payload };
}

test("an answer that is appended later finds its call, and one in another file does not", async () => {
  const env = emptyHome();
  const talk = new Conversation(env, 1)
    .user("start")
    .call("t1", "Bash", { command: "sleep 60" })
    .call("t2", "Read", { file_path: "a.ts" })
    .save();
  expect(places(await find(env, "tool:bash"))).toHaveLength(1);
  talk.result("t2", "papaya source").append();
  expect(places(await find(env, "papaya tool:read"))).toHaveLength(1);
  talk.result("t1", "papaya at last").append();
  expect(places(await find(env, "papaya tool:bash"))).toHaveLength(1);
  // Written anew: the calls of before are not of this session.
  const anew = new Conversation(env, 1).user("something else").call("t3", "Bash", {}).save();
  await find(env, "else");
  const other = new Conversation(env, 1).user("nothing of all that").result("t3", "papaya").save();
  expect([anew.path, other.path]).toEqual([talk.path, talk.path]);
  expect(await bothWays(env, ["papaya", "papaya tool:bash"])).toEqual([
    [`claude-code:${talk.id}@2`],
    [],
  ]);
});

test("the names of tools are kept once, and no call that has its answer", async () => {
  const env = emptyHome();
  const talk = new Conversation(env, 1).user("start");
  for (let at = 0; at < 20; at += 1) talk.call(`t${at}`, "Bash", {}).result(`t${at}`, "fine");
  talk.save();
  await find(env, "fine");
  const database = new Connection(join(env.home, ".reprise", "derived", "catalog.db"));
  expect(database.prepare("select name from tool").all()).toEqual([{ name: "Bash" }]);
  const { cursor } = database.prepare("select cursor from source").get() as { cursor: string };
  expect(cursor.startsWith("\n")).toBe(true);
  database.close();
});

test("calls that nobody answers are forgotten, the oldest first, also across a cursor", () => {
  const calls = new AwaitedCalls();
  const call = (id: number): void =>
    void calls.toolOf({ type: "tool_use", call: `c${id}`, name: `tool${id}`, input: {} });
  for (let id = 0; id <= limits.awaitedCalls; id += 1) call(id);
  const goesOn = new AwaitedCalls(calls.kept());
  const answer = (id: number): string | undefined =>
    goesOn.toolOf({ type: "tool_result", call: `c${id}`, content: "" });
  expect(answer(0)).toBeUndefined();
  expect(answer(1)).toBe("tool1");
  expect(answer(limits.awaitedCalls)).toBe(`tool${limits.awaitedCalls}`);
  // An answer ends its call.
  expect(answer(1)).toBeUndefined();
});
