import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { AwaitedCalls } from "../../src/catalog/index/awaited-calls.ts";
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

test("what a tool of Codex answered is found by the tool's name", async () => {
  const env = emptyHome();
  const folder = join(env.home, ".codex", "sessions", "2026", "11", "15");
  mkdirSync(folder, { recursive: true });
  const session = "01900000-0000-7000-8000-000000000001";
  const timestamp = "2026-11-15T10:00:00.000Z";
  const records = [
    { type: "session_meta", payload: { id: session, timestamp, cwd: env.cwd } },
    item({ type: "function_call", name: "shell", arguments: '{"command":"ls"}', call_id: "c1" }),
    item({ type: "function_call_output", call_id: "c1", output: "guava listing" }),
  ];
  const lines = records.map((record) => `${JSON.stringify({ timestamp, ...record })}\n`);
  writeFileSync(join(folder, `rollout-2026-11-15T10-00-00-${session}.jsonl`), lines.join(""));
  expect(await bothWays(env, ["guava tool:shell", "guava tool:bash"])).toEqual([
    [`codex:${session}@3`],
    [],
  ]);
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
