import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Environment } from "../../src/base/env.ts";
import { emptyHome, find, places } from "./home.ts";

/* What a session says in other files than its own is found by words and in the text as it is. */

const session = "3f9a0000-0000-4000-8000-000000000001";

/** Writes a file below the home, as it was so many seconds ago. */
function put(env: Environment, path: string, lines: readonly object[], secondsAgo = 300): string {
  const file = join(env.home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return aged(file, secondsAgo);
}

function aged(file: string, secondsAgo: number): string {
  const then = Date.now() / 1000 - secondsAgo;
  utimesSync(file, then, then);
  return file;
}

function said(uuid: string, content: string, more: object = {}): object {
  const timestamp = "2026-11-10T10:00:00.000Z";
  const message = { role: "user", content };
  const common = { parentUuid: null, isSidechain: false, sessionId: session, cwd: "/home/dev/app" };
  return { ...common, type: "user", uuid, timestamp, message, ...more };
}

const project = ".claude/projects/-home-dev-app";

/** What each way of searching finds. */
async function everyWay(
  env: Environment,
  asked: { readonly word: string; readonly text: string; readonly pattern: string },
): Promise<readonly (readonly string[])[]> {
  const ways = [
    { text: asked.word, mode: "words" },
    { text: asked.text, mode: "substring" },
    { text: asked.pattern, mode: "regex" },
  ] as const;
  const found: (readonly string[])[] = [];
  for (const way of ways) found.push(places(await find(env, way)));
  return found;
}

test("what a subagent adds is found, though its session's own file is as it was", async () => {
  const env = emptyHome();
  put(env, `${project}/${session}.jsonl`, [said("u1", "start")]);
  const child = (uuid: string, content: string): object =>
    said(uuid, content, { isSidechain: true, agentId: "abc" });
  const file = put(env, `${project}/${session}/subagents/agent-abc.jsonl`, [
    child("c1", "mangosteen 3qz"),
  ]);
  const first = { word: "mangosteen", text: "steen 3qz", pattern: "mango.* 3qz" };
  const event = `claude-code:${session}@abc`;
  expect(await everyWay(env, first)).toEqual(Array(3).fill([`${event}/1`]));
  // A second time, so that what was looked at is kept.
  expect(await everyWay(env, first)).toEqual(Array(3).fill([`${event}/1`]));
  appendFileSync(file, `${JSON.stringify(child("c2", "rambutan 7xk"))}\n`);
  aged(file, 100);
  const second = { word: "rambutan", text: "butan 7xk", pattern: "rambu.* 7xk" };
  expect(await everyWay(env, second)).toEqual(Array(3).fill([`${event}/2`]));
  expect(await everyWay(env, first)).toEqual(Array(3).fill([`${event}/1`]));
});

test("a session's tasks are found, in the layout of any version", async () => {
  const env = emptyHome();
  put(env, `${project}/${session}.jsonl`, [said("u1", "start")]);
  put(env, `.claude/tasks/${session}/1.json`, [{ id: "1", subject: "soursop 9zq chore" }]);
  const todo = `.claude/todos/${session}-agent-${session}.json`;
  put(env, todo, []);
  writeFileSync(join(env.home, todo), JSON.stringify([{ id: "7", content: "lychee 8vx chore" }]));
  const event = `claude-code:${session}`;
  expect(await everyWay(env, { word: "soursop", text: "sop 9zq", pattern: "sour.* 9zq" })).toEqual(
    Array(3).fill([`${event}@tasks/1`]),
  );
  expect(await everyWay(env, { word: "lychee", text: "chee 8vx", pattern: "ly.* 8vx" })).toEqual(
    Array(3).fill([`${event}@todos/1`]),
  );
});

test("the name a Codex thread has in the index of its store is found in the text as it is", async () => {
  const env = emptyHome();
  const id = "01a1e08b-0000-7000-8000-000000000001";
  const at = "2026-11-10T10:00:00.000Z";
  const record = (type: string, payload: object): object => ({ timestamp: at, type, payload });
  const text = [{ type: "input_text", text: "hello" }];
  put(env, `.codex/sessions/2026/11/10/rollout-2026-11-10T10-00-00-${id}.jsonl`, [
    record("session_meta", { id, timestamp: at, cwd: "/home/dev/app", cli_version: "0.105.0" }),
    record("response_item", { type: "message", role: "user", content: text }),
  ]);
  const name = (thread: string): void => {
    put(env, ".codex/session_index.jsonl", [{ id, thread_name: thread, updated_at: at }]);
  };
  name("Durian k8s rollout");
  const found = [`codex:${id}@`];
  const asked = { word: "durian", text: "rian k8s", pattern: "Dur.an k8s" };
  expect(await everyWay(env, asked)).toEqual([found, found, found]);
  // The rollout does not change with its name: the index has the one before.
  name("Rambutan 9zq rollout");
  expect(places(await find(env, { text: "butan 9zq", mode: "substring" }))).toEqual(found);
  expect(places(await find(env, { text: "Ram.* 9zq", mode: "regex" }))).toEqual(found);
});
