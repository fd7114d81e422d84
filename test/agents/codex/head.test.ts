import { appendFileSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codex } from "../../../src/agents/codex/index.ts";
import type { SessionHead } from "../../../src/model/head.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import {
  answer,
  fixtures,
  homeAt,
  item,
  message,
  prompt,
  putRollout,
  type Rollout,
  type RolloutOptions,
  refsIn,
  rollBack,
  threadId,
  turn,
} from "./store.ts";

const one = threadId(1);

function headOf(home: string, session = one): SessionHead {
  const ref = [...codex.locate(homeAt(home))].find((found) => found.session === session)!;
  return codex.head(ref, homeAt(home))!;
}

function headWith(records: Rollout, options: Partial<RolloutOptions> = {}): SessionHead {
  const home = temporaryFolder();
  putRollout(home, { thread: one, ...options }, records);
  return headOf(home);
}

const started = message({ type: "task_started", turn_id: "t" });
const complete = message({ type: "task_complete", turn_id: "t" });
const typed = (text: string): object => message({ type: "user_message", message: text });

test("a head tells what the first and last records say", () => {
  const home = join(fixtures, "0.166.0/tools");
  const { path, ...head } = headOf(home, "01a1e08b-c80d-7e90-8b24-1ab58d723ab4");
  expect(path).toContain("01a1e08b-c80d");
  expect(head).toEqual({
    agent: "codex",
    session: "01a1e08b-c80d-7e90-8b24-1ab58d723ab4",
    sizeBytes: 24043,
    createdAt: "2026-11-15T18:50:19.557Z",
    updatedAt: "2026-11-15T18:50:20.147Z",
    title: "fix the add function",
    titled: false,
    cwd: "/home/dev/acme-api",
    cwdExists: false,
    git: { branch: "main", commit: "8ac1023a427e000fc502a8e53b7cd8e29d4ac07b" },
    model: "gpt-5.5",
    version: "0.166.0",
    state: "waiting",
    usage: { input: 35672, output: 374, reasoning: 12 },
  });
});

test("a subagent names its parent, a fork what it left and where", () => {
  const child = headOf(join(fixtures, "0.166.0/subagent"), "01a1e096-f927-75d0-a675-40e29d8f0b05");
  expect(child.relation).toEqual({
    kind: "subagent",
    session: "01a1e096-f87b-7ae3-9582-7c6a36fadb66",
  });
  const fork = headOf(join(fixtures, "0.166.0/forked"), "01a1e08c-49fb-7131-b597-53ed2198c5b3");
  expect(fork.relation).toEqual({
    kind: "fork",
    session: "01a1e08c-35b6-7c11-9162-2ad5f02030a0",
    event: "14",
  });
});

test("a subagent whose parent only its source names is one too", () => {
  const source = { subagent: { thread_spawn: { parent_thread_id: threadId(2), depth: 1 } } };
  expect(headWith([], { meta: { source } }).relation).toEqual({
    kind: "subagent",
    session: threadId(2),
  });
});

test("the name a person gave wins, the last one given", () => {
  const home = temporaryFolder();
  putRollout(home, { thread: one }, [typed("the prompt")]);
  const index = join(home, ".codex/session_index.jsonl");
  const name = (text: string): string => `${JSON.stringify({ id: one, thread_name: text })}\n`;
  writeFileSync(index, name("old"));
  expect(headOf(home)).toMatchObject({ title: "old", titled: true });
  appendFileSync(index, `not json\n${name("new")}`);
  utimesSync(index, 1, 1);
  expect(headOf(home)).toMatchObject({ title: "new", titled: true });
});

test("without a name the first prompt a person typed is the title", () => {
  const records = [
    typed("<environment_context>x</environment_context>"),
    typed(`Fix the "caf\u00e9" \\ 🦜\nplease`),
    typed("later"),
  ];
  expect(headWith(records)).toMatchObject({ title: 'Fix the "café" \\ 🦜 please', titled: false });
});

test("a long prompt is cut to a title without breaking an escape or a character", () => {
  for (let lead = 0; lead < 12; lead += 1) {
    const text = `${"x".repeat(lead)}${'"\\é🦜\n'.repeat(400)}`;
    const { title } = headWith([typed(text)]);
    expect(title!.length).toBeLessThanOrEqual(200);
    expect(title!.isWellFormed()).toBe(true);
    expect(title).toMatch(/…$/);
  }
});

test("a first line of 60 KB hides neither git, nor the prompt behind it", () => {
  const base = { text: 'You are "it".\n'.repeat(4000) };
  const git = { branch: "main", commit_hash: "abc" };
  const head = headWith([started, typed("hello"), complete], {
    meta: { base_instructions: base, git },
  });
  expect(head).toMatchObject({
    title: "hello",
    git: { branch: "main", commit: "abc" },
    state: "waiting",
  });
});

test("a last record longer than the first look still tells how the session was left", () => {
  const long = "y".repeat(100_000);
  const end = message({ type: "task_complete", turn_id: "t", last_agent_message: long });
  expect(headWith([started, typed("p"), ...answer(long), end]).state).toBe("waiting");
});

test("the state is how the last turn was left", () => {
  const aborted = message({ type: "turn_aborted", reason: "interrupted" });
  expect(headWith([started, ...turn("p", "a"), complete]).state).toBe("waiting");
  expect(headWith([started, ...turn("p", "a")]).state).toBe("interrupted");
  expect(headWith([started, ...prompt("p"), aborted]).state).toBe("interrupted");
  expect(headWith([started, ...turn("p", "a"), complete, started]).state).toBe("interrupted");
  expect(headWith([started, ...turn("p", "a"), complete, rollBack(1)]).state).toBe("waiting");
  expect(headWith([...turn("p", "a")], { paginated: false }).state).toBe("waiting");
  expect(headWith([...prompt("p")], { paginated: false }).state).toBe("interrupted");
  expect(headWith([]).state).toBe("unknown");
});

test("a final answer ends its turn also if the program was closed before it said so", () => {
  const content = [{ type: "output_text", text: "a" }];
  const said = (phase: string): object =>
    item({ type: "message", role: "assistant", content, phase });
  const counted = message({ type: "token_count", info: null });
  const begun = [started, ...prompt("p")];
  expect(headWith([...begun, said("final_answer"), counted]).state).toBe("waiting");
  expect(headWith([...begun, said("commentary"), counted]).state).toBe("interrupted");
  expect(headWith([...begun, said("final_answer"), started]).state).toBe("interrupted");
});

test("the model is the one of the last turn", () => {
  const using = (model: string): object => ({ type: "turn_context", payload: { cwd: "/", model } });
  const records = [started, using("first"), ...turn("p", "a"), complete];
  expect(headWith([...records, started, using("second"), ...turn("q", "b"), complete]).model).toBe(
    "second",
  );
  expect(headWith([...records, ...answer("z".repeat(20_000)), complete]).model).toBe("first");
});

test("a rewound thread keeps the title it began with", () => {
  const home = temporaryFolder();
  putRollout(home, { thread: one }, [typed("how it began"), ...turn("p", "a")]);
  const base = { id: one, ordinal: 4 };
  const options = { thread: one, segment: threadId(9), second: 30, base };
  putRollout(home, options, [typed("after the rewind"), ...turn("q", "b")]);
  expect(headOf(home).title).toBe("how it began");
});

test("a compressed session is listed by name and id alone", () => {
  const home = join(fixtures, "0.166.0/forked-compressed");
  const head = headOf(home, "01a1e08c-35b6-7c11-9162-2ad5f02030a0");
  expect(head).toMatchObject({ state: "unknown", createdAt: "2026-11-15T18:50:47.606Z" });
  expect(head.problem).toBeUndefined();
});

test("a file that does not begin with metadata says so", () => {
  const home = temporaryFolder();
  const path = putRollout(home, { thread: one }, turn("p", "a"));
  writeFileSync(path, readFileSync(path, "utf8").split("\n").slice(1).join("\n"));
  expect(headOf(home).problem).toMatch(/metadata/);
});

test("a session is resumed by its id, in its store, and in its folder unless that is gone", () => {
  const home = temporaryFolder();
  putRollout(home, { thread: one }, turn("p", "a"));
  const ref = refsIn(home).get(one)!;
  const argv = ["codex", "resume", one];
  const env = { CODEX_HOME: join(home, ".codex") };
  const head = headOf(home);
  expect(codex.resume!(ref, head)).toEqual({ argv, env });
  expect(codex.resume!(ref, { ...head, cwdExists: true })).toEqual({
    argv,
    env,
    cwd: "/home/dev/acme-api",
  });
});
