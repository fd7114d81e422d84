import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { claudeFlow } from "../../../src/agents/claude-flow/index.ts";
import { Connection } from "../../../src/sqlite/connection.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { describeGolden, envOf, readAll, refsIn, scenesOf } from "../kit/scenes.ts";
import { assertSurvives } from "../kit/survives.ts";

const scenes = scenesOf("claude-flow");
const homeOf = (name: string): string => scenes.find((scene) => scene.name.endsWith(name))!.home;

/** A copy of a scene that may be changed. */
function copyOf(name: string): string {
  const home = join(temporaryFolder(), "home");
  cpSync(homeOf(name), home, { recursive: true });
  return home;
}

/** A hive mind with a row in every table; the program made the tables that sessions do not lie in. */
function filledHive(): string {
  const home = copyOf("hive-mind");
  const database = new Connection(join(home, "project", ".hive-mind", "hive.db"));
  database.exec(`create table sessions (id text primary key, swarm_id, swarm_name, objective, status, created_at, updated_at,
      paused_at, resumed_at, completion_percentage, checkpoint_data, metadata, parent_pid, child_pids);
    insert into swarms (id, name, objective) values ('s1', 'alpha', 'Move the API to port 9090');
    insert into agents (id, swarm_id, name, type) values ('a1', 's1', 'Worker', 'coder');
    insert into tasks (id, swarm_id, agent_id, description, status) values ('t1', 's1', 'a1', 'Change the constant', 'completed');
    insert into collective_memory (id, swarm_id, key, value) values ('m1', 's1', 'port', 'one place to change');
    insert into consensus_decisions (id, swarm_id, topic, decision) values ('d1', 's1', 'Which port', '9090');
    insert into sessions (id, swarm_id, swarm_name, objective, status) values ('session-1', 's1', 'alpha', 'Move', 'paused')`);
  database.close();
  return home;
}

describeGolden(claudeFlow);

describe.each(scenes)("the rules of every reader, $name", ({ name }) => {
  const home = name.endsWith("hive-mind") ? filledHive() : copyOf(name);
  const env = envOf(home);
  const refs = [...refsIn(claudeFlow, env).values()];
  const sessions = refs.map(({ session }) => session);
  test.each(agentCases)("$name", ({ run }) =>
    run({ agent: claudeFlow, env, folder: home, sessions }),
  );
});

test("what holds nothing is not listed, and nothing is taken for a conversation", () => {
  const heads = (home: string) =>
    [...refsIn(claudeFlow, envOf(home)).values()].map((ref) => claudeFlow.head(ref, envOf(home)));
  expect(heads(homeOf("hive-mind"))).toEqual([undefined]);
  const kinds = [...scenes.map(({ home }) => home), filledHive()].flatMap(heads);
  expect(new Set(kinds.flatMap((head) => head?.kind ?? []))).toEqual(new Set(["state", "memory"]));
});

test("a hive mind is told table by table", async () => {
  const home = filledHive();
  const [ref] = [...refsIn(claudeFlow, envOf(home)).values()];
  const { events, damage } = await readAll(claudeFlow, ref!);
  expect(damage).toEqual([]);
  expect(events.map(({ number, body }) => `${number} ${body.type}`)).toEqual([
    "swarms/1 note",
    "agents/1 agent",
    "tasks/1 task",
    "collective_memory/1 note",
    "consensus_decisions/1 note",
    "sessions/1 note",
  ]);
  expect(JSON.stringify(events)).toContain("Move the API to port 9090");
});

test("a state that differs from its checksum is read, and told", async () => {
  const home = copyOf("session-checksum");
  const env = envOf(home);
  const [ref] = [...refsIn(claudeFlow, env).values()];
  expect(claudeFlow.head(ref!, env)?.problem).toBeUndefined();
  expect((await readAll(claudeFlow, ref!)).damage).toEqual([]);
  const text = readFileSync(ref!.path, "utf8");
  writeFileSync(ref!.path, text.replace('"running"', '"done"'));
  expect(claudeFlow.head(ref!, env)?.problem).toMatch(/checksum/);
  const { events, damage } = await readAll(claudeFlow, ref!);
  expect(damage).toMatchObject([{ kind: "bad_sum", recovered: 1 }]);
  expect(events.length).toBeGreaterThan(3);
});

test("a session that the program encrypted is named with the reason", async () => {
  const home = copyOf("session-saved");
  const env = envOf(home);
  const [ref] = [...refsIn(claudeFlow, env).values()];
  writeFileSync(ref!.path, Buffer.concat([Buffer.from("RFE1"), Buffer.alloc(64, 7)]));
  expect(claudeFlow.head(ref!, env)?.problem).toMatch(/encrypted/);
  expect((await readAll(claudeFlow, ref!)).damage).toHaveLength(1);
});

test("the active session and the older stores of 3.x are found", async () => {
  const cwd = join(temporaryFolder(), "acme");
  const put = (path: string, value: object): void => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), JSON.stringify(value));
  };
  const startedAt = "2026-11-15T10:00:00.000Z";
  put(".claude-flow/sessions/current.json", { id: "s-9", startedAt, cwd, metrics: { edits: 3 } });
  put(".claude-flow/memory/store.json", {
    entries: { port: { value: "9090", storedAt: startedAt } },
  });
  put(".claude-flow/sessions/other.json", { unrelated: true });
  const env = { variables: {}, platform: "linux" as const, home: dirname(cwd), cwd };
  const heads = [...claudeFlow.locate(env)].map((ref) => claudeFlow.head(ref, env));
  expect(heads.map((head) => head && [head.session, head.kind])).toEqual([
    ["store-acme", "memory"],
    ["s-9", "state"],
    undefined,
  ]);
});

test("a database of entries or of a hive mind is recognised wherever it lies", () => {
  const folder = temporaryFolder();
  const env = envOf(folder);
  for (const [from, kind] of [
    [join(homeOf("3.43.0/memory"), "project", ".swarm", "memory.db"), "memory"],
    [join(homeOf("memory-hooks"), "project", ".swarm", "memory.db"), "memory"],
    [join(filledHive(), "project", ".hive-mind", "hive.db"), "state"],
  ] as const) {
    const path = join(folder, "copy.db");
    cpSync(from, path);
    const refs = [...claudeFlow.at!(path, env)];
    expect(refs.map((ref) => claudeFlow.head(ref, env)?.kind)).toEqual([kind]);
  }
  writeFileSync(join(folder, "text.db"), "no database");
  expect([...claudeFlow.at!(join(folder, "text.db"), env)]).toEqual([]);
});

const file = (scene: string, path: string): string => join(homeOf(scene), "project", path);
const refTo = (part: string) => (path: string, root: string) => {
  const ref = { agent: "claude-flow", session: "s", path, part, root, sizeBytes: 0, modifiedMs: 0 };
  claudeFlow.head(ref, envOf(root));
  return ref;
};

test("400 damaged databases are read without a throw or a hang", async () => {
  const hive = join(filledHive(), "project", ".hive-mind", "hive.db");
  for (const [part, source] of [
    ["memory", file("3.43.0/memory", ".swarm/memory.db")],
    ["memory", file("3.43.0/agentdb", ".swarm/agentdb-memory.db")],
    ["memory", file("memory-hooks", ".swarm/memory.db")],
    ["hive", hive],
  ] as const) {
    await assertSurvives({
      agent: claudeFlow,
      kind: "sqlite",
      sources: [source],
      rounds: 100,
      ref: refTo(part),
    });
  }
}, 120_000);

test("300 damaged files are read, and what is whole in them is told", async () => {
  for (const [part, source] of [
    ["store", file("basic-json", "memory/memory-store.json")],
    ["session", file("session-checksum", ".claude-flow/sessions/session_mjx3k2o0_a1b2c3d4e.json")],
    ["session", file("session-saved", ".claude-flow/sessions/session-1794768230615-8q23jh.json")],
    ["checkpoints", file("checkpoints", ".claude/checkpoints/1767225600.json")],
    ["store", file("3.43.0/agentdb", ".claude-flow/data/auto-memory-store.json")],
    ["tasks", file("3.43.0/agentdb", ".claude-flow/tasks/store.json")],
  ] as const) {
    await assertSurvives({
      agent: claudeFlow,
      kind: "json",
      sources: [source],
      rounds: 50,
      ref: refTo(part),
    });
  }
}, 60_000);
