import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { claudeCodeHooks as hooks } from "../../src/agents/claude-code/hooks.ts";
import { processEvent } from "../../src/bridge/process.ts";
import { drain } from "../../src/bridge/state/drain.ts";
import { placesOf } from "../../src/bridge/state/places.ts";
import { loadState, saveSnapshot } from "../../src/bridge/state/snapshot.ts";
import type { BridgeEvent } from "../../src/model/bridge-event.ts";
import { folder } from "./folder.ts";

const seed = 20261115;

function event(kind: BridgeEvent["kind"], more: Partial<BridgeEvent> = {}): BridgeEvent {
  return { kind, agent: "claude-code", session: "s1", name: kind, ...more };
}

function stateOf(root: string, session = "s1") {
  return loadState(placesOf(root, "claude-code", session), { agent: "claude-code", session }).state;
}

test("the state is what the events say: prompts, tools, files, commands, tasks", async () => {
  const root = folder();
  const give = async (...events: readonly BridgeEvent[]) => {
    for (const each of events) await processEvent(each, { root, hooks });
  };
  await give(
    event("session_start", { cwd: "/p", source: "startup" }),
    event("prompt", { prompt: "hi" }),
    event("tool_after", { tool: "Write", files: ["/p/a.ts"] }),
    event("tool_after", { tool: "Write", files: ["/p/b.ts"] }),
    event("tool_after", { tool: "Write", files: ["/p/a.ts"] }),
    event("tool_failed", { tool: "Bash", command: "false" }),
    event("tool_after", { tool: "Bash", subagent: { id: "x" } }),
    event("tool_after", { tool: "TodoWrite", tasks: [{ name: "mend", status: "open" }] }),
    event("task", { tasks: [{ name: "mend", status: "done" }] }),
    event("agent", { agentName: "dev" }),
    event("agent", { agentName: "qa" }),
    event("session_end", { reason: "other" }),
  );
  expect(stateOf(root)).toMatchObject({
    promptCount: 1,
    cwd: "/p",
    tools: { Write: 3, Bash: 1, TodoWrite: 1 },
    subagentTools: 1,
    failedTools: 1,
    files: ["/p/a.ts", "/p/b.ts"],
    commands: ["false"],
    tasks: [{ name: "mend", status: "done" }],
    agents: ["dev", "qa"],
    ended: "other",
  });
});

test("no text of the conversation is in the log", async () => {
  const root = folder();
  await processEvent(event("prompt", { prompt: "the secret plan" }), { root, hooks });
  await processEvent(event("stop", { answer: "the secret answer" }), { root, hooks });
  const log = readFileSync(placesOf(root, "claude-code", "s1").log, "utf8");
  expect(log).not.toContain("secret");
  expect(log.split("\n")).toHaveLength(3);
  expect(statSync(placesOf(root, "claude-code", "s1").log).mode & 0o777).toBe(0o600);
});

test(`a snapshot at any place leads to the same state as all lines (seed ${seed})`, async () => {
  const kinds = fc.constantFrom(
    "session_start",
    "prompt",
    "tool_after",
    "tool_failed",
    "stop",
    "post_compact",
    "session_end",
  );
  const events = fc.array(
    fc.record({
      kind: kinds as fc.Arbitrary<BridgeEvent["kind"]>,
      tool: fc.constantFrom("Bash", "__proto__", "constructor", "Write", "\u0000"),
      files: fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
      source: fc.constantFrom("startup", "compact", "clear"),
    }),
    { maxLength: 20 },
  );
  const root = folder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(events, fc.nat(20), async (list, at) => {
      run += 1;
      const session = `s${run}`;
      const places = placesOf(root, "claude-code", session);
      for (const [index, each] of list.entries()) {
        if (index === at)
          saveSnapshot(places, loadState(places, { agent: "claude-code", session }));
        await processEvent({ ...each, agent: "claude-code", session, name: "x" }, { root, hooks });
      }
      const withSnapshot = stateOf(root, session);
      if (existsSync(places.snapshot)) writeFileSync(places.snapshot, "torn");
      expect(stateOf(root, session)).toEqual(withSnapshot);
    }),
    { seed, numRuns: 60 },
  );
});

test("a damaged line costs itself, a torn one is not continued", async () => {
  const root = folder();
  const { log } = placesOf(root, "claude-code", "s1");
  await processEvent(event("prompt"), { root, hooks });
  appendFileSync(log, "garbage\n");
  await processEvent(event("prompt"), { root, hooks });
  truncateSync(log, statSync(log).size - 5);
  await processEvent(event("prompt"), { root, hooks });
  await processEvent(event("prompt"), { root, hooks });
  expect(stateOf(root).promptCount).toBe(3);
});

test("a snapshot that another hand wrote is not believed", async () => {
  const root = folder();
  const places = placesOf(root, "claude-code", "s1");
  await processEvent(event("prompt"), { root, hooks });
  for (const text of [
    '{"end":1,"state":{}}',
    '{"end":-1}',
    '{"end":99999,"state":{"schema":1,"session":"s1"}}',
    '{"schema":1,"end":0,"state":{"schema":1,"session":"s1","files":[1]}}',
    "[]",
  ]) {
    writeFileSync(places.snapshot, text);
    expect(stateOf(root).promptCount).toBe(1);
  }
});

test("a snapshot with one wrong thing deep inside stops no event", async () => {
  const root = folder();
  const places = placesOf(root, "claude-code", "s1");
  await processEvent(event("prompt"), { root, hooks });
  const sound = stateOf(root);
  const wrong: readonly object[] = [
    { injected: [null] },
    { injected: [{ hash: 1 }] },
    { tasks: [null] },
    { tasks: [{ name: 7, status: "open" }] },
    { tools: { Read: "many" } },
    { context: {} },
    { bracket: "__proto__" },
  ];
  for (const [index, more] of wrong.entries()) {
    const state = { ...sound, promptCount: 99, ...more };
    writeFileSync(places.snapshot, JSON.stringify({ schema: 1, end: 0, state }));
    const input = event("prompt", { prompt: "Go on" });
    expect((await processEvent(input, { root, hooks })).promptCount, JSON.stringify(more)).toBe(
      index + 2,
    );
  }
});

test("whatever an id holds, it never becomes a path", async () => {
  const root = folder();
  const ids = ["../../x", "/etc/passwd", "..", "a/b", "\u0000", "x".repeat(4_000), "__proto__"];
  for (const session of ids) await processEvent(event("prompt", { session }), { root, hooks });
  const names = readdirSync(join(root, "claude-code"));
  expect(names.every((name) => /^[0-9a-f]{32}\.jsonl$/.test(name))).toBe(true);
  expect(names).toHaveLength(ids.length);
  for (const session of ids) expect(stateOf(root, session).promptCount).toBe(1);
});

test("what was reconciled holds, unless something was counted meanwhile", async () => {
  const root = folder();
  const { log } = placesOf(root, "claude-code", "s1");
  await processEvent(event("prompt"), { root, hooks });
  const logBytes = statSync(log).size;
  const line = (bytes: number, prompts: number) =>
    `${JSON.stringify({ at: "2026-01-01T00:00:00.000Z", kind: "reconciled", session: "s1", reconciled: { logBytes: bytes, mark: 7, prompts, tools: { Bash: 4 } } })}\n`;
  appendFileSync(log, line(logBytes, 5));
  expect(stateOf(root)).toMatchObject({ promptCount: 5, tools: { Bash: 4 }, reconciledMark: 7 });
  await processEvent(event("prompt"), { root, hooks });
  expect(stateOf(root).promptCount).toBe(6);
  appendFileSync(log, line(logBytes, 1));
  expect(stateOf(root).promptCount).toBe(6);
});

test("a session that slept for a day is archived, and goes on where it was", async () => {
  const root = folder();
  const { log, archivedLog } = placesOf(root, "claude-code", "s1");
  await processEvent(event("prompt"), { root, hooks });
  const env = { variables: {}, platform: process.platform, home: root, cwd: root };
  const options = { root, env, agents: [], nowMs: Date.now() };
  expect(await drain(options)).toMatchObject({ sessions: 1, archived: 0 });
  const old = (Date.now() - 25 * 3600_000) / 1000;
  utimesSync(log, old, old);
  expect(await drain(options)).toMatchObject({ sessions: 1, archived: 1 });
  expect([existsSync(log), existsSync(archivedLog)]).toEqual([false, true]);
  await processEvent(event("prompt"), { root, hooks });
  expect(stateOf(root).promptCount).toBe(2);
});

test("two drains do not work at once", async () => {
  const root = folder();
  await processEvent(event("prompt"), { root, hooks });
  const env = { variables: {}, platform: process.platform, home: root, cwd: root };
  const options = { root, env, agents: [], nowMs: Date.now() };
  const both = await Promise.all([drain(options), drain(options)]);
  expect(both.map(({ busy }) => busy).toSorted()).toEqual([false, true]);
});
