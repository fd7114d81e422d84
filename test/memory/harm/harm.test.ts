import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { claudeCodeHooks as hooks } from "../../../src/agents/claude-code/hooks.ts";
import { loadAgents } from "../../../src/agents/registry.ts";
import type { Environment } from "../../../src/base/env.ts";
import { processEvent } from "../../../src/bridge/process.ts";
import { estimateTokens } from "../../../src/context/estimate.ts";
import { fileSum } from "../../../src/memory/stale.ts";
import { digestOf, openMemory, proposeFrom, recall } from "../../../src/memory.ts";
import { injectedText } from "../../../src/model/injected.ts";
import { claudeFile, claudeLine, claudeSession } from "../../catalog/claude.ts";
import { Conversation } from "../../catalog/conversation.ts";
import { emptyHome } from "../../catalog/home.ts";
import { attacks } from "./attacks.ts";

const nowMs = Date.parse("2026-11-20T00:00:00Z");

function rootOf(env: Environment): string {
  return join(env.home, ".reprise");
}

function digest(env: Environment, budgetTokens = 1_000): string {
  return digestOf({ root: rootOf(env), cwd: env.cwd, reader: "claude-code", budgetTokens });
}

/** Puts everything that every session of a home proposes into the inbox. */
async function propose(env: Environment): Promise<void> {
  const memory = openMemory({ env });
  for (const agent of await loadAgents())
    for (const ref of agent.locate(env)) await proposeFrom(memory, ref, { env });
  memory.close();
}

/** What a session that begins is given by the bridge. */
async function injected(env: Environment, session = "s1"): Promise<string> {
  const root = join(rootOf(env), "bridge");
  mkdirSync(root, { recursive: true });
  // However loaded the machine: what is proven here is not the deadline.
  writeFileSync(join(root, "settings.json"), '{"workMs":20000}');
  const { output } = await processEvent(
    {
      kind: "session_start",
      agent: "claude-code",
      session,
      name: "SessionStart",
      source: "startup",
      cwd: env.cwd,
    },
    { root, hooks },
  );
  return output;
}

function bytesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

describe("memory does no harm", () => {
  test("no poisoned text reaches a model without approval, whichever way it takes", async () => {
    const env = emptyHome();
    const agent = openMemory({ env, owner: "some-agent" });
    const user = openMemory({ env });
    for (const [number, { way, parts, canary }] of attacks.entries()) {
      const talk = new Conversation(env, number).user("Please look at the page and go on.");
      if (way === "import")
        await user.importRecords([
          { key: canary, value: parts[0], status: "kept", provenance: "user", approvedBy: "user" },
        ]);
      if (way === "agent") {
        await agent.store({
          key: canary,
          value: parts[0],
          provenance: "user",
          approvedBy: "user",
        } as never);
        await agent.store({
          key: `${canary} 2`,
          value: parts[0],
          status: "proposed",
          metadata: { stated: true },
        });
        await expect(agent.update(`${canary} 2`, { status: "kept" })).rejects.toMatchObject({
          code: "no_permission",
        });
      }
      if (way === "pasted")
        talk.user(
          `Here is what the page says:\n\n> ${parts[0]}\n\n\`\`\`\n${parts[0]}\n\`\`\`\n<page>${parts[0]}</page>`,
        );
      if (way === "assistant")
        talk.call(`c${number}`, "Say", { text: parts[0] }).result(`c${number}`, parts[0]!);
      for (const [at, part] of parts.entries()) {
        const id = `t${number}-${at}`;
        const name = way === "page" ? "WebFetch" : way === "file" ? "Read" : "Bash";
        talk.call(id, name, { command: `cat ${at}` }).result(id, part);
      }
      talk.save();
    }
    await propose(env);
    user.close();
    agent.close();
    const given = `${digest(env, 100_000)}\n${await injected(env)}`;
    const reached = attacks.filter(({ canary }) => given.includes(canary));
    expect(attacks.length).toBeGreaterThanOrEqual(60);
    expect(reached.map(({ name }) => name)).toEqual([]);
  });

  test("an approved quotation of a tool or an import is given as a quotation", async () => {
    const env = emptyHome();
    const memory = openMemory({ env });
    await memory.importRecords([{ key: "deploy", value: 'Run "x".\nThen obey.' }]);
    const [entry] = (await memory.query({ statuses: ["proposed"] })).entries;
    await memory.update(entry!.id, { status: "kept" });
    expect(digest(env)).toContain('- "deploy": "Run \'x\'. Then obey."');
  });

  test("what the user asked to remember in so many words is given before it was approved; what is rejected never comes back", async () => {
    const env = emptyHome();
    claudeSession(env, 1, [
      "Please remember that the staging database is read-only.",
      "Let's use pnpm for this.",
    ]);
    await propose(env);
    expect(digest(env)).toContain("the staging database is read-only");
    expect(digest(env)).not.toContain("pnpm");
    const memory = openMemory({ env });
    for (const { id } of (await memory.query({ statuses: ["proposed"] })).entries)
      await memory.update(id, { status: "rejected" });
    await propose(env);
    expect((await memory.query({ statuses: ["proposed"] })).total).toBe(0);
    expect(digest(env)).toBe("");
  });

  test("stale evidence is always marked, and never given unasked", async () => {
    const env = emptyHome();
    const memory = openMemory({ env });
    execFileSync("git", ["init", "-q"], { cwd: env.cwd });
    const commit = (text: string): void => {
      writeFileSync(join(env.cwd, "note.txt"), text);
      execFileSync("git", ["add", "note.txt"], { cwd: env.cwd });
      const who = ["-c", "user.name=n", "-c", "user.email=e@example.com"];
      execFileSync("git", [...who, "commit", "-qm", text], { cwd: env.cwd });
    };
    commit("one");
    const head = execFileSync("git", ["rev-parse", "HEAD"], {
      cwd: env.cwd,
      encoding: "utf8",
    }).trim();
    const count = 30;
    for (let at = 0; at < count; at += 1) {
      const path = join(env.cwd, `file-${at}.txt`);
      writeFileSync(path, "before");
      const evidence =
        at % 3 === 2
          ? ({ kind: "commit", commit: head, folder: env.cwd } as const)
          : ({ kind: "file", path, sha256: fileSum(path)! } as const);
      await memory.store({
        key: `stale ${at}`,
        value: `The widget count is ${at}.`,
        evidence: [evidence],
      });
      if (at % 3 === 0) writeFileSync(path, "after");
      if (at % 3 === 1) execFileSync("rm", [path]);
    }
    commit("two");
    memory.close();
    const { answers } = await recall("widget count", {
      env,
      nowMs,
      from: "memories",
      budgetTokens: 10_000,
    });
    expect(answers).toHaveLength(count);
    expect(answers.filter((one) => one.kind !== "entry" || !one.isStale)).toEqual([]);
    expect(digest(env)).toBe("");
  });

  test("nothing of one project is recalled from the memories of another or given in it", async () => {
    const env = emptyHome();
    const projects = Array.from({ length: 8 }, (_, at) => ({
      ...env,
      cwd: join(env.home, `p${at}`),
    }));
    for (const [at, project] of projects.entries()) {
      mkdirSync(project.cwd);
      const memory = openMemory({ env: project });
      await memory.store({ key: "build command", value: `make canary-${at}x` });
      await memory.store({ key: "mine", value: `secret canary-${at}x`, access: "private" });
      memory.close();
      const talk = claudeLine(project, at, 0, `The build command is canary-${at}x.`, {
        cwd: project.cwd,
      });
      claudeFile(env, at, [`${talk}\n`], `-p${at}`);
    }
    let leaks = 0;
    for (const [at, project] of projects.entries()) {
      const memory = openMemory({ env: project, owner: "other-agent" });
      const filters = [{ key: "here", value: "", not: false }] as const;
      const seen = [
        digest(project, 10_000),
        JSON.stringify((await memory.query({ namespaces: "all", statuses: "all" })).entries),
        JSON.stringify(await recall("build command", { env: project, nowMs, filters })),
        JSON.stringify(await recall("build command", { env: project, nowMs, from: "memories" })),
      ].join("\n");
      leaks += projects.filter(
        (_, other) => other !== at && seen.includes(`canary-${other}x`),
      ).length;
      if (seen.includes("secret canary")) leaks += 1;
      memory.close();
    }
    expect(leaks).toBe(0);
  });

  test("what this program put into a session is never recalled, remembered or counted as evidence", async () => {
    const env = emptyHome();
    const canaries = Array.from(
      { length: 12 },
      (_, at) => `remember that canary-${at} is always used`,
    );
    const escaped = (text: string): string => text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    claudeSession(
      env,
      1,
      canaries.map((text, at) => {
        const put = injectedText(`- ${text}.\nFrom now on use canary-${at}.`);
        const shape = at % 3 === 0 ? put : at % 3 === 1 ? escaped(put) : put.slice(0, -10);
        return at % 3 === 2 ? `Go on.\n${shape}` : `${shape}\nGo on with the task, please.`;
      }),
    );
    await propose(env);
    const memory = openMemory({ env });
    expect((await memory.query({ statuses: "all" })).total).toBe(0);
    const { answers } = await recall("canary always used", { env, nowMs });
    expect(answers.filter(({ text }) => text.includes("canary"))).toEqual([]);
  });

  test("no budget is overrun, whatever is stored", async () => {
    const env = emptyHome();
    const memory = openMemory({ env });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "grapheme", maxLength: 400 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 1_500 }),
        async (texts, budgetTokens) => {
          for (const [at, text] of texts.entries())
            await memory.store({ key: `entry ${at} word`, value: `word ${text}` });
          expect(estimateTokens(digest(env, budgetTokens))).toBeLessThanOrEqual(budgetTokens);
          const found = await recall("word entry", { env, nowMs, budgetTokens });
          const sum = found.answers.reduce((all, { text }) => all + estimateTokens(text), 0);
          expect(Math.max(sum, found.tokens)).toBeLessThanOrEqual(budgetTokens);
        },
      ),
      { numRuns: 25, endOnFailure: true },
    );
    memory.close();
  });

  test("a session that begins is given the digest once; one switch turns it off", async () => {
    const env = emptyHome();
    const memory = openMemory({ env });
    await memory.store({ key: "test command", value: "npm test" });
    memory.close();
    expect(await injected(env)).toContain("test command: npm test");
    expect(await injected(env)).toBe("");
    const root = join(rootOf(env), "bridge");
    writeFileSync(join(root, "settings.json"), '{"workMs":20000,"memories":false}');
    const start = {
      kind: "session_start",
      agent: "claude-code",
      name: "SessionStart",
      source: "startup",
    } as const;
    const off = await processEvent({ ...start, session: "s2", cwd: env.cwd }, { root, hooks });
    expect(off.output).toBe("");
  });

  test("a forgotten text is in no byte of memory, derived data, journal, ledgers or the bridge's state", async () => {
    const env = emptyHome();
    const canary = "the-canary-sings-at-dawn over the hills";
    const memory = openMemory({ env });
    await memory.store({ key: "song", value: "something else first" });
    await memory.store({ key: "song", value: canary });
    await memory.importRecords([{ key: "copy", value: canary }]);
    await memory.query({ text: "canary" });
    await injected(env);
    const root = rootOf(env);
    for (const name of [
      "ledgers/p/ledger.md",
      "bridge/claude-code/x.jsonl",
      "derived/heads.json",
      "derived/catalog.db-wal",
    ]) {
      mkdirSync(join(root, name, ".."), { recursive: true });
      writeFileSync(join(root, name), `{"a":1}\n{"text":${JSON.stringify(canary)}}\n`);
    }
    await memory.forget(["song"]);
    const [copy] = (await memory.query({ statuses: ["proposed"] })).entries;
    await memory.forget([copy!.id]);
    memory.close();
    expect(bytesBelow(root)).not.toContain("the-canary-sings");
    expect(readFileSync(join(root, "ledgers/p/ledger.md"), "utf8")).toBe('{"a":1}\n');
  });

  test("what was forgotten is not taken again from the session that holds it", async () => {
    const env = emptyHome();
    claudeSession(env, 1, ["Remember that the owl flies at midnight."]);
    await propose(env);
    const memory = openMemory({ env });
    const [entry] = (await memory.query({ statuses: ["proposed"] })).entries;
    await memory.forget([entry!.id]);
    await propose(env);
    expect((await memory.query({ statuses: "all" })).total).toBe(0);
  });
});
