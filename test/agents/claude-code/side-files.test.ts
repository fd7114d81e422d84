import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { claudeCode } from "../../../src/agents/claude-code/index.ts";
import type { SessionRef } from "../../../src/agents/contract.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import {
  assistant,
  call,
  fixtures,
  homeAt,
  lines,
  readAll,
  result,
  sessionId,
  sessionsIn,
  user,
  written,
} from "./store.ts";

const branches = { allBranches: true } as const;
const talk = [
  user("u1", null, "first"),
  assistant("a1", "u1", [call("t1", "Task")], { message: { stop_reason: "tool_use" } }),
];

function put(ref: SessionRef, path: string, content: unknown): void {
  const file = join(ref.root!, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

test("a subagent is told at its call, and its events with all branches", async () => {
  const [ref] = sessionsIn(join(fixtures, "2.1.325/subagent")).values();
  const { events } = await readAll(ref!);
  const told = events.find(({ body }) => body.type === "subagent");
  expect(told).toMatchObject({
    number: "21.2",
    parent: "21",
    live: true,
    body: {
      type: "subagent",
      session: "a4dacf3c6714c6ba2",
      name: "general-purpose",
      call: "toolu_mwi5zqkj0002",
      status: "finished",
      summary: "Count source files",
    },
  });
  const all = await readAll(ref!, branches);
  const inside = all.events.filter(({ sidechain }) => sidechain === "a4dacf3c6714c6ba2");
  const said = inside.filter(({ body }) => body.type !== "custom");
  expect(said.map(({ number, body }) => `${number} ${body.type}`)).toEqual([
    "a4dacf3c6714c6ba2/1 user",
    "a4dacf3c6714c6ba2/14 assistant",
    "a4dacf3c6714c6ba2/15 tool_use",
    "a4dacf3c6714c6ba2/16 tool_result",
    "a4dacf3c6714c6ba2/22 assistant",
  ]);
  expect(inside.every(({ live }) => !live)).toBe(true);
});

test("a subagent of the older layout is found beside the session; warm-ups are not its", async () => {
  const toolUseResult = { agentId: "0fbd5d1d", status: "completed" };
  const ref = written(lines([...talk, result("r1", "a1", "t1", { toolUseResult })]));
  const aside = { isSidechain: true, agentId: "0fbd5d1d" };
  const beside = (name: string, prompt: string) =>
    writeFileSync(join(dirname(ref.path), name), lines([user("s1", null, prompt, aside)]));
  beside("agent-0fbd5d1d.jsonl", "sub task");
  beside("agent-123acebe.jsonl", "Warmup");
  const { events } = await readAll(ref, branches);
  expect(events.filter(({ body }) => body.type === "subagent").map(({ body }) => body)).toEqual([
    { type: "subagent", session: "0fbd5d1d", call: "t1", status: "completed" },
  ]);
  expect(events.filter((event) => event.sidechain !== undefined).map((one) => one.number)).toEqual([
    "0fbd5d1d/1",
  ]);
});

test("output that was moved out of the transcript is noted by its checked place", async () => {
  const home = temporaryFolder();
  cpSync(join(fixtures, "2.1.325/unicode-long"), home, { recursive: true });
  const [ref] = sessionsIn(home).values();
  const { events } = await readAll(ref!);
  const spilled = events.find(({ body }) => body.type === "tool_result");
  expect(spilled?.body).toMatchObject({
    details: {
      persistedOutputSize: 274_893,
      spilled: {
        path: join(ref!.path.replace(/\.jsonl$/, ""), "tool-results", "bufygznl4.txt"),
        exists: true,
        sizeBytes: 274_893,
      },
    },
  });
});

test("a path from the transcript never leads outside the session's folder", async () => {
  for (const path of ["/etc/passwd", "../../../../etc/passwd", "C:\\x\\secret.txt", "..", "a/.."]) {
    const content = `<persisted-output>\nFull output saved to: ${path}\n`;
    const block = [{ type: "tool_result", tool_use_id: "t1", content }];
    const ref = written(lines([...talk, user("r1", "a1", block)]));
    const { events } = await readAll(ref);
    const body = events.find((event) => event.body.type === "tool_result")?.body;
    const details = body?.type === "tool_result" ? body.details : undefined;
    const inside = join(ref.path.replace(/\.jsonl$/, ""), "tool-results");
    if (details === undefined) continue;
    const { spilled } = details as { spilled: { path: string; exists: boolean } };
    expect(dirname(spilled.path)).toBe(inside);
    expect(spilled.exists).toBe(false);
  }
});

test("task lists of both layouts are events, told again only when they change", async () => {
  const ref = written(lines(talk));
  put(ref, `tasks/${sessionId}/2.json`, {
    id: "2",
    subject: "Test",
    status: "pending",
    blockedBy: ["1"],
  });
  put(ref, `tasks/${sessionId}/10.json`, { id: "10", subject: "Ship", status: "pending" });
  put(ref, `tasks/${sessionId}/torn.json`, '{"id":');
  put(ref, `todos/${sessionId}-agent-${sessionId}.json`, [{ content: "Old", status: "completed" }]);
  const { events, cursor } = await readAll(ref, branches);
  const tasks = events.filter(({ body }) => body.type === "task");
  expect(tasks.map(({ number, body }) => ({ number, ...body }))).toMatchObject([
    { number: "tasks/2", task: "2", title: "Test", status: "pending", dependsOn: ["1"] },
    { number: "tasks/10", task: "10", title: "Ship" },
    { number: "todos/1", task: "1", title: "Old", status: "completed" },
  ]);
  expect((await readAll(ref, { ...branches, from: cursor })).events).toEqual([]);
  put(ref, `tasks/${sessionId}/10.json`, { id: "10", subject: "Ship", status: "completed" });
  const on = await readAll(ref, { ...branches, from: cursor });
  expect(on.events.map(({ number }) => number)).toEqual(["tasks/2", "tasks/10", "todos/1"]);
});

test("the command that resumes names the session, its folder where it is, and a moved root", () => {
  const [ref] = sessionsIn(join(fixtures, "2.1.325/plain")).values();
  const head = claudeCode.head(ref!, homeAt("/"))!;
  expect(claudeCode.resume!(ref!, head)).toEqual({
    argv: ["claude", "--resume", "d359aa77-651f-4545-8f20-fdb678fec53e"],
  });
  const there = { ...head, cwd: "/", cwdExists: true };
  expect(claudeCode.resume!({ ...ref!, root: "/srv/agent" }, there)).toEqual({
    argv: ["claude", "--resume", "d359aa77-651f-4545-8f20-fdb678fec53e"],
    cwd: "/",
    env: { CLAUDE_CONFIG_DIR: "/srv/agent" },
  });
});
