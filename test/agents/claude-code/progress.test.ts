import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { claudeCode } from "../../../src/agents/claude-code/index.ts";
import { sourceEvents } from "../../../src/agents/source.ts";
import { assistant, call, lines, readAll, result, sessionId, user, written } from "./store.ts";

const helper = "acc4a637457989019";

function progress(uuid: string, parent: string, data: object): Record<string, unknown> {
  return {
    ...user(uuid, parent, ""),
    message: undefined,
    type: "progress",
    data,
    parentToolUseID: "toolu_1",
    toolUseID: "x",
  };
}

function told(uuid: string, parent: string, message: object): Record<string, unknown> {
  return progress(uuid, parent, { type: "agent_progress", agentId: helper, message });
}

const answer = {
  role: "assistant",
  id: "msg_h",
  model: "claude-haiku-4-5",
  usage: { input_tokens: 7, output_tokens: 3 },
};

/** A session in which a subagent's messages are told in its parent's transcript. */
const records = [
  user("u1", null, "Count the files"),
  assistant("a1", "u1", [call("toolu_1", "Task")]),
  told("p1", "a1", {
    type: "user",
    uuid: "h1",
    timestamp: "2026-02-23T16:07:26.020Z",
    message: { role: "user", content: "Count them all" },
  }),
  told("p2", "p1", {
    type: "assistant",
    uuid: "h2",
    timestamp: "2026-02-23T16:07:27.020Z",
    message: { ...answer, content: [{ type: "text", text: "I will look." }] },
  }),
  told("p3", "p2", {
    type: "assistant",
    uuid: "h3",
    timestamp: "2026-02-23T16:07:28.020Z",
    message: { ...answer, content: [call("toolu_h")] },
  }),
  progress("p4", "p3", { type: "bash_progress", output: "a\n", elapsedTimeSeconds: 3 }),
  progress("p5", "p4", { type: "hook_progress", hookEvent: "PreToolUse", command: "check" }),
  progress("p6", "p5", {
    type: "mcp_progress",
    status: "started",
    serverName: "notes",
    toolName: "add",
  }),
  progress("p7", "p6", { type: "query_update", query: "files" }),
  progress("p8", "p7", { type: "search_results_received", resultCount: 2, query: "files" }),
  progress("p9", "p8", {
    type: "waiting_for_task",
    taskDescription: "Build",
    taskType: "local_bash",
  }),
  result("u2", "p9", "toolu_1", { sourceToolAssistantUUID: "a1" }),
  assistant("a2", "u2", "There is one."),
];

test("what a subagent said in progress records is read as its own, under its call", async () => {
  const { events, unknown, damage } = await readAll(written(lines(records)), { allBranches: true });
  expect({ unknown, damage }).toEqual({ unknown: {}, damage: [] });
  const aside = events.filter(({ sidechain }) => sidechain === helper);
  expect(
    aside.map(({ number, uuid, parent, live, body }) => [number, uuid, parent, live, body]),
  ).toEqual([
    ["3", "h1", undefined, false, { type: "user", content: "Count them all" }],
    [
      "4",
      "h2",
      "3",
      false,
      expect.objectContaining({
        content: "I will look.",
        model: "claude-haiku-4-5",
        usage: { input: 7, output: 3 },
      }),
    ],
    ["5", "h3", "4", false, expect.objectContaining({ type: "tool_use", call: "toolu_h" })],
  ]);
  // Its tokens are those of one message, however many parts that has.
  expect(aside.filter(({ body }) => "usage" in body)).toHaveLength(1);
});

test("the other progress records are read as what they are", async () => {
  const { events } = await readAll(written(lines(records)), { allBranches: true });
  const bodies = new Map(events.map(({ number, body }) => [number, body]));
  const data = expect.any(Object);
  expect(["6", "7", "8", "9", "10", "11"].map((number) => bodies.get(number))).toEqual([
    { type: "process", process: "toolu_1", status: "running", data },
    { type: "hook", event: "PreToolUse", data },
    { type: "process", process: "toolu_1", command: "notes add", status: "started", data },
    { type: "custom", name: "progress:query_update", data },
    { type: "custom", name: "progress:search_results_received", data },
    { type: "task", task: "toolu_1", title: "Build", status: "waiting", data },
  ]);
});

test("the program's replay passes through them and has none of them", async () => {
  const { events } = await readAll(written(lines(records)));
  expect(events.map(({ number }) => number)).toEqual(["1", "1.2", "2", "12", "13"]);
});

test("a subagent with a transcript of its own is read there alone", async () => {
  const ref = written(lines(records));
  const folder = join(dirname(ref.path), basename(ref.path, ".jsonl"), "subagents");
  mkdirSync(folder, { recursive: true });
  const own = { ...user("h1", null, "Count them all"), isSidechain: true, agentId: helper };
  writeFileSync(join(folder, `agent-${helper}.jsonl`), lines([own]));
  const { events } = await readAll(ref, { allBranches: true });
  const aside = events.filter(({ sidechain }) => sidechain === helper);
  expect(aside.map(({ number }) => number)).toEqual([`${helper}/1`]);
  expect(events.find(({ number }) => number === "3")?.body).toMatchObject({
    type: "custom",
    name: "progress:agent_progress",
  });
});

test("one goes on from what a subagent said with the subagent's own conversation", async () => {
  const ref = written(lines(records));
  const numbers: string[] = [];
  for await (const event of sourceEvents({ agent: claudeCode, ref, at: "4" }))
    numbers.push(event.number);
  expect(numbers).toEqual(["3", "4"]);
  expect(ref.session).toBe(sessionId);
});
