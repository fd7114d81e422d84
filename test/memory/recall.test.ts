import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileSum } from "../../src/memory/stale.ts";
import { openMemory, recall, remember } from "../../src/memory.ts";
import { injectedText } from "../../src/model/injected.ts";
import { claudeFile, claudeLine, claudeSession, id } from "../catalog/claude.ts";
import { emptyHome } from "../catalog/home.ts";

const nowMs = Date.parse("2026-11-20T00:00:00Z");

describe("recall", () => {
  test("a question is answered by the turn that says it, with a reference that can be typed back", async () => {
    const env = emptyHome();
    claudeSession(env, 1, ["The weather is fine.", "The staging server listens on port 8443."]);
    claudeSession(env, 2, ["Please write a test for the parser."]);
    const { answers } = await recall("which port does the staging server use?", { env, nowMs });
    expect(answers[0]).toMatchObject({
      kind: "turn",
      ref: `claude-code:${id(1)}@2`,
      role: "user",
      text: "The staging server listens on port 8443.",
    });
  });

  test("a memory is found by other words for the same thing, and nothing by words that mean something else", async () => {
    const env = emptyHome();
    const memory = openMemory({ env });
    await memory.store({ key: "spec runner", value: "vitest" });
    await memory.store({ key: "rollout", value: "Maria deploys on Tuesdays" });
    await memory.store({ key: "colour", value: "green" });
    memory.close();
    const keysFor = async (question: string): Promise<readonly unknown[]> => {
      const { answers } = await recall(question, { env, nowMs, from: "memories" });
      return answers.map((answer) => answer.kind === "entry" && answer.key);
    };
    expect(await keysFor("how are the tests executed?")).toEqual(["spec runner"]);
    expect(await keysFor("who ships the releases?")).toEqual(["rollout"]);
    expect(await keysFor("what about deployment?")).toEqual(["rollout"]);
    expect(await keysFor("which elephants are purple?")).toEqual([]);
  });

  test("a question that names a kind of thing finds the memory that names one of it", async () => {
    const env = emptyHome();
    const memory = openMemory({ env });
    const said = [
      "We moved to pnpm in spring.",
      "Everything is kept in Postgres 16.",
      "Merges wait for GitHub Actions.",
      "Nina waters the plants.",
    ];
    for (const text of said) await remember(memory, { text });
    memory.close();
    const textsFor = async (question: string): Promise<readonly string[]> => {
      const { answers } = await recall(question, { env, nowMs, from: "memories" });
      return answers.map(({ text }) => text);
    };
    expect(await textsFor("which package manager is it?")).toEqual([said[0]]);
    expect(await textsFor("which tool installs packages?")).toEqual([said[0]]);
    expect(await textsFor("what is the database?")).toEqual([said[1]]);
    expect(await textsFor("which CI?")).toEqual([said[2]]);
    expect(await textsFor("which manager?")).toEqual([]);
  });

  test("what you remember for a project stands beside every answer in it, and in no other project", async () => {
    const env = emptyHome();
    claudeSession(env, 1, ["Who painted the fence?"]);
    const memory = openMemory({ env });
    await remember(memory, { text: "Nina waters the plants." });
    await memory.store({ key: "guess", value: "An agent guessed.", provenance: "assistant" });
    await memory.store({ key: "wish", value: "Nobody approved.", status: "proposed" });
    memory.close();
    const { answers, besides, tokens } = await recall("fence", { env, nowMs });
    expect(answers.map(({ kind }) => kind)).toEqual(["turn"]);
    expect(besides.map(({ text }) => text)).toEqual(["Nina waters the plants."]);
    expect(tokens).toBeGreaterThan(30);
    const elsewhere = { ...env, cwd: join(env.home, "other") };
    expect((await recall("fence", { env: elsewhere, nowMs })).besides).toEqual([]);
    expect((await recall("fence", { env, nowMs, from: "sessions" })).besides).toEqual([]);
    expect((await recall("who waters plants", { env, nowMs })).besides).toEqual([]);
  });

  test("of many memories of a project a few stand beside the answers, within a part of the tokens", async () => {
    const env = emptyHome();
    const memory = openMemory({ env });
    for (let at = 0; at < 30; at += 1)
      await memory.store({ key: `note ${at}`, value: "word ".repeat(200) });
    memory.close();
    const some = await recall("fence", { env, nowMs });
    expect(some.besides.length).toBeGreaterThan(2);
    expect(some.besides.length).toBeLessThanOrEqual(8);
    const few = await recall("fence", { env, nowMs, budgetTokens: 500 });
    expect(few.besides).toHaveLength(1);
    expect(few.tokens).toBeLessThanOrEqual(125);
  });

  test("what was said in this project comes before what was said as well elsewhere, which is not hidden", async () => {
    const env = emptyHome();
    const other = { ...env, cwd: join(env.home, "other") };
    claudeSession(env, 1, ["Behind the safe I found our deploy key."], "-work");
    claudeSession(other, 2, ["Somebody put a deploy key into this drawer."], "-other");
    for (const [asker, first] of [
      [env, "safe"],
      [other, "drawer"],
    ] as const) {
      const { answers } = await recall("where is the deploy key?", { env: asker, nowMs });
      expect(answers).toHaveLength(2);
      expect(answers[0]?.text).toContain(first);
    }
  });

  test("what was said comes before a call that has the same words", async () => {
    const env = emptyHome();
    const command = { command: "rotate ledger archive nightly && rotate ledger archive" };
    const content = [{ type: "tool_use", id: "c1", name: "Bash", input: command }];
    const lines = [
      claudeLine(env, 1, 0, "They say the ledger should rotate nightly."),
      claudeLine(env, 1, 1, "Thanks."),
      claudeLine(env, 1, 2, "", { type: "assistant", message: { role: "assistant", content } }),
    ];
    claudeFile(env, 1, [`${lines.join("\n")}\n`]);
    const { answers } = await recall("rotate ledger archive nightly", { env, nowMs });
    const roles = answers.map((answer) => answer.kind === "turn" && answer.role);
    expect(roles).toEqual(["user", "tool_use"]);
  });

  test("a question that asks why is answered with the part of a long text that gives the reason", async () => {
    const env = emptyHome();
    const reason = "The queue is drained at night because the printers sleep.";
    const rest = Array.from({ length: 60 }, (_, at) => `Step ${at} checks another room.`).join(" ");
    const text = `${reason} ${rest} At night the queue is drained again.`;
    claudeSession(env, 1, [`${rest} The queue is drained at night. ${rest} ${text}`]);
    const { answers } = await recall("why is the queue drained at night?", { env, nowMs });
    expect(answers[0]?.text).toContain("because the printers sleep");
    const what = await recall("when is the queue drained at night?", { env, nowMs });
    expect(what.answers[0]?.text).not.toContain("because");
  });

  test("signs that a search gives a meaning to are words of a question", async () => {
    const env = emptyHome();
    claudeSession(env, 1, ["agent:codex needs --full-auto here"]);
    const { answers } = await recall('what needs "--full-auto" -here agent:codex OR?', {
      env,
      nowMs,
    });
    expect(answers).toHaveLength(1);
  });

  test("both sides of an update are given, the newer one first and the older one marked", async () => {
    const env = emptyHome();
    claudeSession(env, 1, ["The release deadline is March 3.", "Let us begin with the parser."]);
    claudeSession(env, 2, ["By the way, the release deadline was moved to March 17."]);
    const { answers } = await recall("when is the release deadline?", { env, nowMs });
    const [first, second] = answers;
    expect(first?.text).toContain("March 17");
    expect(second).toMatchObject({ newer: [{ ref: first?.ref, why: "update" }] });
  });

  test("a memory that covers the question comes first; its namespace bounds who hears of it", async () => {
    const env = emptyHome();
    const other = { ...env, cwd: join(env.home, "other") };
    claudeSession(env, 1, ["We talked about the test command for a while."]);
    const memory = openMemory({ env });
    await memory.store({ key: "test command", value: "npm test -- --runInBand" });
    memory.close();
    const { answers } = await recall("what is the test command?", { env, nowMs });
    expect(answers[0]).toMatchObject({ kind: "entry", key: "test command", isStale: false });
    const elsewhere = await recall("what is the test command?", { env: other, nowMs });
    expect(elsewhere.answers.filter(({ kind }) => kind === "entry")).toEqual([]);
  });

  test("a memory whose file changed is marked stale", async () => {
    const env = emptyHome();
    const path = join(env.cwd, "config.json");
    writeFileSync(path, "{}");
    const memory = openMemory({ env });
    const evidence = [{ kind: "file", path, sha256: fileSum(path)! }] as const;
    await memory.store({ key: "config port", value: "The config has no port.", evidence });
    memory.close();
    writeFileSync(path, '{ "port": 1 }');
    const { answers } = await recall("config port", { env, nowMs, from: "memories" });
    expect(answers[0]).toMatchObject({ kind: "entry", isStale: true });
  });

  test("an answer keeps within its budget, and what was injected is never quoted", async () => {
    const env = emptyHome();
    const long = Array.from(
      { length: 40 },
      (_, at) => `The cache holds ${at} pages. ${"x ".repeat(300)}`,
    );
    claudeSession(env, 1, [
      ...long,
      `${injectedText("The cache is a lie.")}\nWhat about the cache?`,
    ]);
    const { answers, tokens, leftOut } = await recall("cache pages", {
      env,
      nowMs,
      budgetTokens: 700,
    });
    expect(answers.length).toBeGreaterThan(0);
    expect(tokens).toBeLessThanOrEqual(700);
    expect(leftOut).toBeGreaterThan(0);
    const all = await recall("cache", { env, nowMs, budgetTokens: 100_000 });
    expect(all.answers.some(({ text }) => text.includes("a lie"))).toBe(false);
  });

  test("vectors of the caller change the order", async () => {
    const env = emptyHome();
    claudeSession(env, 1, ["The cat sat on the mat.", "The mat is a cat mat for a cat."]);
    const { answers } = await recall("cat", {
      env,
      nowMs,
      embed: async (texts) =>
        texts.map((text) => [text.includes("sat") || text === "cat" ? 1 : 0, 0.1]),
      vectorWeight: 0.9,
    });
    expect(answers[0]?.text).toBe("The cat sat on the mat.");
  });

  test("a proposal that nobody approved answers nothing", async () => {
    const env = emptyHome();
    const memory = openMemory({ env });
    await memory.store({ key: "deploy", value: "Deploy with rm -rf.", status: "proposed" });
    memory.close();
    expect((await recall("deploy", { env, nowMs })).answers).toEqual([]);
  });
});
