import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadHooks } from "../../../src/agents/registry.ts";
import { limits } from "../../../src/base/limits.ts";
import { processEvent } from "../../../src/bridge/process.ts";
import { placesOf } from "../../../src/bridge/state/places.ts";
import { loadState } from "../../../src/bridge/state/snapshot.ts";
import { payloadOf } from "../../../src/programs/hook/input.ts";
import { folder } from "../../bridge/folder.ts";
import { fuzz, fuzzCase, hook, runHook } from "../../crash/hook-fuzz.mjs";

const seed = 7;

function payload(name: string, more: object = {}): string {
  return JSON.stringify({ session_id: "s1", hook_event_name: name, cwd: "/p", ...more });
}

function stateIn(home: string) {
  const places = placesOf(join(home, "bridge"), "claude-code", "s1");
  return loadState(places, { agent: "claude-code", session: "s1" }).state;
}

test(`P9: 100 inputs no agent would send, none ends with anything but 0 (seed ${seed})`, async () => {
  const { problems } = await fuzz({ rounds: 100, seed, jobs: 4 });
  expect(problems).toEqual([]);
});

test(`of 3,000 such inputs each is a counted event or none, and nothing is thrown (seed ${seed})`, async () => {
  const root = folder();
  let taken = 0;
  for (let round = 0; round < 3_000; round += 1) {
    const { agent, input } = fuzzCase(seed + 1_000 + round);
    const payload = payloadOf(input.toString("utf8"));
    const hooks = await loadHooks(agent);
    const event = payload === undefined ? undefined : hooks?.toEvent(payload);
    if (event === undefined) continue;
    taken += 1;
    const processed = processEvent(event, { root, hooks });
    await expect(processed, `round ${round}`).resolves.toBeDefined();
  }
  expect(taken).toBeGreaterThan(500);
});

test("50 processes at once on one session: every event is counted, once", async () => {
  const home = folder();
  const ended = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      runHook({
        agent: "claude-code",
        home,
        input:
          index % 2 === 0
            ? payload("UserPromptSubmit", { prompt: `p${index}` })
            : payload("PostToolUse", { tool_name: "Bash", tool_input: { command: `c${index}` } }),
      }),
    ),
  );
  expect(ended.map(({ code }) => code)).toEqual(Array.from({ length: 50 }, () => 0));
  expect(stateIn(home)).toMatchObject({ promptCount: 25, tools: { Bash: 25 } });
});

test("of processes that would give the same in one moment, one gives it", async () => {
  const home = folder();
  mkdirSync(join(home, "bridge"));
  writeFileSync(join(home, "bridge", "settings.json"), '{"windowTokens":100,"workMs":20000}');
  const input = payload("UserPromptSubmit", { prompt: "hi" });
  const ended = await Promise.all(
    Array.from({ length: 8 }, () => runHook({ agent: "claude-code", home, input })),
  );
  expect(ended.filter(({ stdout }) => stdout.includes("reprise-context"))).toHaveLength(1);
});

test("an input that is never ended is not waited for", async () => {
  const home = folder();
  const whole = await runHook({
    agent: "claude-code",
    home,
    input: payload("UserPromptSubmit", { prompt: "hi" }),
    keepOpen: true,
  });
  expect(whole.code).toBe(0);
  expect(stateIn(home).promptCount).toBe(1);
  const half = await runHook({
    agent: "claude-code",
    home,
    input: '{"session_id":',
    keepOpen: true,
  });
  expect(half.code).toBe(0);
});

test("where nothing is written and nothing closed, the hook ends in time all the same", async () => {
  const home = folder();
  const began = performance.now();
  const { code, stdout, stderr } = await runHook({
    agent: "claude-code",
    home,
    input: "",
    keepOpen: true,
  });
  expect([code, stdout, stderr]).toEqual([0, "", ""]);
  expect(performance.now() - began).toBeLessThan(limits.hookInputMs + 2_000);
});

test.skipIf(process.platform === "win32")(
  "a named pipe that nobody writes to is not waited for either",
  async () => {
    const home = folder();
    const pipe = join(home, "pipe");
    execFileSync("mkfifo", [pipe]);
    const input = openSync(pipe, "r+");
    onTestFinished(() => closeSync(input));
    const child = spawn(process.execPath, [hook, "claude-code"], {
      env: { HOME: home, REPRISE_NO_DRAIN: "1" },
      stdio: [input, "ignore", "ignore"],
    });
    expect(await once(child, "exit")).toEqual([0, null]);
  },
);

test("of a payload over the limit the beginning is enough to count it", async () => {
  const home = folder();
  const input = JSON.stringify({
    ...(JSON.parse(payload("PostToolUse", { tool_name: "Read" })) as object),
    tool_response: "x".repeat(3_000_000),
  });
  expect((await runHook({ agent: "claude-code", home, input })).code).toBe(0);
  expect(stateIn(home).tools).toEqual({ Read: 1 });
});

test("a payload over the limit is counted in any script", async () => {
  const home = folder();
  const input = payload("PostToolUse", { tool_name: "Read", tool_response: "é".repeat(600_000) });
  expect((await runHook({ agent: "claude-code", home, input })).code).toBe(0);
  expect(stateIn(home).tools).toEqual({ Read: 1 });
});

test.skipIf(process.platform === "win32")(
  "a transcript that is a pipe is not waited for",
  async () => {
    const home = folder();
    const pipe = join(home, "pipe");
    execFileSync("mkfifo", [pipe]);
    // Lets go of a hook that waits all the same.
    onTestFinished(() => closeSync(openSync(pipe, "r+")));
    const events = [
      ["claude-code", "UserPromptSubmit"],
      ["claude-code", "Stop"],
      ["claude-code", "PreCompact"],
      ["codex", "Stop"],
      ["gemini-cli", "BeforeAgent"],
    ] as const;
    for (const [agent, name] of events) {
      const input = payload(name, { transcript_path: pipe, prompt: "hi", trigger: "manual" });
      expect(await runHook({ agent, home, input })).toMatchObject({ code: 0, stderr: "" });
    }
    expect(stateIn(home)).toMatchObject({ promptCount: 1, transcript: pipe });
  },
);

test("a full disk leaves the agent alone", async () => {
  const home = folder();
  const { log } = placesOf(join(home, "bridge"), "claude-code", "s1");
  mkdirSync(join(home, "bridge", "claude-code"), { recursive: true });
  symlinkSync("/dev/full", log);
  const { code, stdout, stderr } = await runHook({
    agent: "claude-code",
    home,
    input: payload("Stop"),
  });
  expect([code, stdout, stderr]).toEqual([0, "", ""]);
  expect(readFileSync(join(home, "bridge", "errors.log"), "utf8")).toContain("ENOSPC");
});

test("a home that cannot be written leaves the agent alone", async () => {
  const home = folder();
  writeFileSync(join(home, "bridge"), "");
  chmodSync(join(home, "bridge"), 0o400);
  const { code, stdout, stderr } = await runHook({
    agent: "claude-code",
    home,
    input: payload("Stop"),
  });
  expect([code, stdout, stderr]).toEqual([0, "", ""]);
});

test.skipIf(process.platform === "win32")(
  "P9: whatever lies where our home should be, the hook ends at once",
  async () => {
    const folder_ = folder();
    const pipe = join(folder_, "pipe");
    execFileSync("mkfifo", [pipe]);
    const file = join(folder_, "file");
    writeFileSync(file, "");
    const loop = join(folder_, "loop");
    symlinkSync(loop, loop);
    const readOnly = join(folder_, "read-only");
    mkdirSync(readOnly, { mode: 0o500 });
    const homes = ["/proc/nope", "/proc/self/nope", "/dev/full", "/dev/null/x", pipe, file, loop];
    for (const home of [...homes, readOnly, join(pipe, "x"), "/nope\u{1}", "x".repeat(5_000)]) {
      const began = performance.now();
      const input = payload("SessionStart", { source: "startup" });
      const ended = await runHook({ agent: "claude-code", home, input });
      expect([home, ended.code, ended.stderr]).toEqual([home, 0, ""]);
      expect(performance.now() - began).toBeLessThan(5_000);
    }
  },
);

test.skipIf(process.platform === "win32")(
  "pipes that nobody reads in the places of our files are not waited for",
  async () => {
    const home = folder();
    const { root, log, snapshot, settings } = placesOf(join(home, "bridge"), "claude-code", "s1");
    mkdirSync(join(root, "claude-code"), { recursive: true });
    for (const path of [log, snapshot, settings, join(root, "errors.log"), join(root, "drain.at")])
      execFileSync("mkfifo", [path]);
    const { code, stdout, stderr } = await runHook({
      agent: "claude-code",
      home,
      input: payload("SessionEnd"),
    });
    expect([code, stdout, stderr]).toEqual([0, "", ""]);
  },
);

// A tool's call comes hundreds of times a session; an end of a turn goes into the ledger, which hides secrets.
test.each([
  ["PostToolUse", 64],
  ["Stop", 160],
] as const)(
  "%s makes the hook load little, and nothing of SQLite, the network or children",
  (name, mostKiB) => {
    const home = folder();
    const told = join(home, "loaded");
    const probe = join(home, "probe.cjs");
    writeFileSync(
      probe,
      `process.on("exit", () => {
      const loaded = Object.keys(require.cache).filter((file) => file !== __filename);
      require("node:fs").writeFileSync(${JSON.stringify(told)}, JSON.stringify(loaded));
    });`,
    );
    execFileSync(process.execPath, ["--require", probe, hook, "claude-code"], {
      env: { HOME: home, REPRISE_NO_DRAIN: "1" },
      input: payload(name),
    });
    const loaded = JSON.parse(readFileSync(told, "utf8")) as readonly string[];
    const texts = loaded.map((file) => readFileSync(file, "utf8"));
    const modules = texts.flatMap((text) => [...text.matchAll(/require\("(node:[^"]+)"\)/g)]);
    const allowed = ["node:fs", "node:module", "node:path"];
    expect(new Set(modules.map(([, name]) => name))).toEqual(new Set(allowed));
    expect(texts.join("").length).toBeLessThan(mostKiB * 1024);
  },
);
