import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileSum } from "../../src/memory/stale.ts";
import { openMemory, recall } from "../../src/memory.ts";
import { injectedText } from "../../src/model/injected.ts";
import { claudeSession, id } from "../catalog/claude.ts";
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
