import { appendFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadAgents } from "../../../src/agents/registry.ts";
import { gatherUsage } from "../../../src/catalog/usage/gather.ts";
import { record } from "../../../src/log/journal.ts";
import { userHome } from "../../../src/store/home.ts";
import { claudeRecord, emptyHome, put, putLines, reportFor } from "./machine.ts";

const claudeFile = ".claude/projects/-home-dev-acme/s1.jsonl";

/** What ccusage 20.0.24 counts offline, in UTC: input, output. */
const counted: Readonly<Record<string, readonly [number, number]>> = {
  "claude-code/2.1.325/compacted-print": [24553, 288],
  "claude-code/2.1.325/forked-flag": [8107, 80],
  "claude-code/2.1.325/parallel-tools": [5778, 115],
  "claude-code/2.1.325/subagent": [11037, 135],
  "claude-code/2.1.325/tui-rewind-interrupt": [32830, 339],
  "claude-code/2.1.325/torn-tail": [2798, 50],
  "claude-code/2.0.30/old-2.0.30": [3203, 441],
  "codex/0.166.0/compacted-auto": [57715, 526],
  "codex/0.166.0/forked": [21143, 188],
  "codex/0.166.0/resumed": [52560, 464],
  "codex/0.166.0/killed-midtool": [0, 0],
  "codex/0.105.0/compacted": [10361, 579],
};

describe("what is counted", () => {
  for (const [fixture, [input, output]] of Object.entries(counted)) {
    test(`${fixture} counts as other counters do`, async () => {
      const env = emptyHome();
      put(env, fixture);
      const { totals } = await reportFor(env);
      expect([totals.tokens.input, totals.tokens.output]).toEqual([input, output]);
    });
  }

  test("a Codex subagent's own responses count, under its parent", async () => {
    const env = emptyHome();
    put(env, "codex/0.166.0/subagent");
    const report = await reportFor(env, { by: "session" });
    // 15832 of the parent's three responses, 5118 and 5256 of the child's two.
    expect(report.totals.tokens.input).toBe(15832 + 5118 + 5256);
    expect(report.groups.map(({ key }) => key)).toEqual([
      "codex:01a1e096-f87b-7ae3-9582-7c6a36fadb66",
    ]);
  });

  test("a Claude Code subagent's usage is its parent's", async () => {
    const env = emptyHome();
    put(env, "claude-code/2.1.325/subagent");
    const { groups } = await reportFor(env, { by: "session" });
    expect(groups.map(({ key }) => key)).toEqual([
      "claude-code:56d0e7da-0834-4819-a430-15eecd9df61f",
    ]);
  });

  test("a Gemini CLI subagent's usage is its parent's, told by the parent's whole id", async () => {
    const env = emptyHome();
    put(env, "gemini-cli/0.61.0/subagent");
    const { groups } = await reportFor(env, { by: "session" });
    expect(groups.map(({ key }) => key)).toEqual([
      "gemini-cli:b53673af-83fa-4ca3-adc2-92923843f728",
    ]);
  });

  test("the cost of a session is the one the program itself computed", async () => {
    const env = emptyHome();
    put(env, "claude-code/2.1.325/tools");
    const { totals } = await reportFor(env);
    // Its last cost-state record says totalCostUSD 0.078284.
    expect(totals.costUsd).toBeCloseTo(0.078284, 9);
  });

  test("records of a message that grew count once, by the largest", async () => {
    const env = emptyHome();
    const usage = (output: number): object => ({ input_tokens: 5, output_tokens: output });
    putLines(env, claudeFile, [
      claudeRecord({ usage: usage(1) }),
      claudeRecord({ usage: usage(500) }),
      claudeRecord({ usage: usage(500) }),
      claudeRecord({ usage: usage(10) }),
      claudeRecord({ usage: usage(7), request: "r2" }),
    ]);
    const { totals } = await reportFor(env);
    expect([totals.messages, totals.tokens.output]).toEqual([2, 507]);
  });

  test("a copied fork of a Codex thread counts only what is its own", async () => {
    const env = emptyHome();
    const id = (number: number): string => `01a1e08b-9b42-7b33-8000-00000000000${number}`;
    const meta = (number: number, more: object = {}): object => ({
      timestamp: "2026-01-02T03:04:05.000Z",
      type: "session_meta",
      payload: { id: id(number), cwd: "/p", cli_version: "0.63.0", ...more },
    });
    const context = {
      timestamp: "2026-01-02T03:04:05.000Z",
      type: "turn_context",
      payload: { model: "gpt-5" },
    };
    const count = (total: number, last: number, minute: number): object => ({
      timestamp: `2026-01-02T03:${minute}:00.000Z`,
      type: "event_msg",
      payload: {
        type: "token_count",
        info: {
          total_token_usage: { input_tokens: total, output_tokens: 0 },
          last_token_usage: { input_tokens: last, output_tokens: 0 },
        },
      },
    });
    const place = (number: number): string =>
      `.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-${id(number)}.jsonl`;
    putLines(env, place(1), [meta(1), context, count(100, 100, 10), count(250, 150, 11)]);
    const fork = meta(2, { forked_from_id: id(1) });
    // Copies are written with new times.
    putLines(env, place(2), [
      fork,
      meta(1),
      context,
      count(100, 100, 20),
      count(250, 150, 20),
      count(300, 50, 30),
    ]);
    const { totals } = await reportFor(env);
    expect(totals.tokens.input).toBe(300);
  });

  test("Codex totals that begin anew after a resume count as new responses", async () => {
    const env = emptyHome();
    const line = (minute: number, type: string, payload: object): object => ({
      timestamp: `2026-01-02T03:${minute}:00.000Z`,
      type,
      payload,
    });
    const count = (minute: number, total?: number, last?: number): object => {
      const info = {
        total_token_usage: { input_tokens: total, output_tokens: 1 },
        last_token_usage: { input_tokens: last, output_tokens: 1 },
      };
      const payload = { type: "token_count", info: total === undefined ? null : info };
      return line(minute, "event_msg", payload);
    };
    const id = "01a1e08b-9b42-7b33-8000-000000000001";
    putLines(env, `.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-${id}.jsonl`, [
      line(10, "session_meta", { id, cwd: "/p", cli_version: "0.63.0" }),
      count(11, 106, 106),
      // A resume: no totals are known, the next response is larger than all before it.
      count(12),
      count(13, 210, 210),
      // Here they are restored, and reported once more before they grow.
      count(14),
      count(15, 210, 210),
      count(16, 310, 100),
    ]);
    const { totals } = await reportFor(env);
    expect(totals.tokens.input).toBe(106 + 210 + 100);
  });

  test("pi's requests beside the conversation, its tools' and its summaries' count", async () => {
    const env = emptyHome();
    put(env, "pi/0.87.1/context-edit", ".pi/agent/sessions/--home-dev-acme-api--");
    put(env, "pi/0.87.1/context-edit-compacted", ".pi/agent/sessions/--home-dev-acme-api--");
    const { groups, totals } = await reportFor(env, { by: "model" });
    // Answers: 4 and 4; a tool's own 5, a warmed cache 7, a summary 9.
    expect(totals.tokens.input).toBe(8 * 10 + 5 + 7 + 9);
    expect(Object.fromEntries(groups.map(({ key, tokens }) => [key, tokens.input]))).toEqual({
      "claude-haiku-4-5": 7,
      "claude-sonnet-4-5": 70,
      "claude-sonnet-4-5-20250929": 10,
      unknown: 14,
    });
  });

  test("OpenCode's copied messages count once", async () => {
    const one = emptyHome();
    put(one, "opencode/1.18.33/forked");
    const report = await reportFor(one, { by: "session" });
    const agents = report.totals.agents;
    expect(agents).toEqual(["opencode"]);
    // The fork repeats six messages of the first session, and has two of its own.
    expect(report.groups.map(({ messages }) => messages).sort()).toEqual([2, 6]);
  });

  test("pi, Gemini CLI and aider count too", async () => {
    const env = emptyHome();
    put(env, "pi/0.73.1/tools", ".pi/agent/sessions/--home-dev-acme-api--");
    put(env, "gemini-cli/0.61.0/tools");
    put(env, "aider/0.86.3/real-io");
    const { groups } = await reportFor(env, { by: "agent" });
    expect(groups.map(({ key }) => key).sort()).toEqual(["aider", "gemini-cli", "pi"]);
    const aider = groups.find(({ key }) => key === "aider");
    expect([aider?.tokens.input, aider?.tokens.output]).toEqual([2500, 100]);
  });
});

describe("bad input", () => {
  test("damaged lines and absurd numbers are told and cost nothing else", async () => {
    const env = emptyHome();
    putLines(env, claudeFile, [
      claudeRecord({}),
      '{"type":"assistant","message":{"id":"x","usage":{"input_tokens":1',
      claudeRecord({ id: "m2", usage: { input_tokens: -5, output_tokens: 1 } }),
      claudeRecord({ id: "m3", usage: { input_tokens: 1.5, output_tokens: 1 } }),
      '{"message":{"id":"m4","usage":{"input_tokens":1e300,"output_tokens":1}}}',
      '{"message":{"id":"m5","usage":{"input_tokens":"12"}}}',
      claudeRecord({ id: "m6", usage: { input_tokens: 7, output_tokens: 3 } }),
    ]);
    const { totals, notes } = await reportFor(env);
    expect([totals.tokens.input, totals.tokens.output]).toEqual([107, 13]);
    expect([notes.damaged, notes.absurd]).toEqual([1, 4]);
  });

  test("messages without a time are undated, and in no span of time", async () => {
    const env = emptyHome();
    putLines(env, claudeFile, [
      claudeRecord({ more: { timestamp: undefined } }),
      claudeRecord({ id: "m2", at: "not a time" }),
      claudeRecord({ id: "m3" }),
    ]);
    const all = await reportFor(env);
    expect(all.groups.map(({ key, messages }) => [key, messages])).toEqual([
      ["2026-01-02", 1],
      ["undated", 2],
    ]);
    expect(all.notes.undated).toBe(2);
    const span = await reportFor(env, { within: () => true });
    expect(span.totals.messages).toBe(1);
  });

  test("a model without a price counts in tokens only, and is named", async () => {
    const env = emptyHome();
    putLines(env, claudeFile, [claudeRecord({ model: "house-model" }), claudeRecord({ id: "m2" })]);
    const { totals, notes } = await reportFor(env);
    expect(notes.unpriced).toEqual(["house-model"]);
    expect(totals.tokens.input).toBe(200);
    expect(totals.costUsd).toBeCloseTo(100 * 3e-6 + 10 * 15e-6, 12);
  });

  test("an empty machine has no usage", async () => {
    const { groups, totals } = await reportFor(emptyHome());
    expect([groups, totals.messages]).toEqual([[], 0]);
  });
});

describe("between two reports", () => {
  test("only appended bytes are read, an unfinished line counts once", async () => {
    const env = emptyHome();
    const file = putLines(env, claudeFile, [claudeRecord({})]);
    expect((await gatherUsage({ env, agents: loadAgents })).readBytes).toBe(statSync(file).size);
    expect((await gatherUsage({ env, agents: loadAgents })).readBytes).toBe(0);
    const line = JSON.stringify(claudeRecord({ id: "m2" }));
    appendFileSync(file, line);
    expect((await gatherUsage({ env, agents: loadAgents })).readBytes).toBe(line.length);
    expect((await reportFor(env)).totals.messages).toBe(2);
    appendFileSync(file, `\n${JSON.stringify(claudeRecord({ id: "m3" }))}\n`);
    expect((await reportFor(env)).totals.messages).toBe(3);
    const fresh = await gatherUsage({ env, agents: loadAgents, fresh: true });
    expect(fresh.table.length).toBe((await gatherUsage({ env, agents: loadAgents })).table.length);
  });

  test("a rewritten file is read anew, a removed one is gone", async () => {
    const env = emptyHome();
    const file = putLines(env, claudeFile, [claudeRecord({}), claudeRecord({ id: "m2" })]);
    expect((await reportFor(env)).totals.messages).toBe(2);
    putLines(
      env,
      claudeFile,
      ["a", "b", "c", "d", "e", "f", "g"].map((id) => claudeRecord({ id })),
    );
    expect((await reportFor(env)).totals.messages).toBe(7);
    rmSync(file);
    expect((await reportFor(env)).totals.messages).toBe(0);
  });

  test("what is added to an imported session counts, also where it was counted before the journal told", async () => {
    const env = emptyHome();
    const home = userHome(env);
    const source = putLines(env, claudeFile, [
      claudeRecord({ id: "a" }),
      claudeRecord({ id: "b" }),
    ]);
    const at = "2026-01-02T03:04:05.000Z";
    const said = (id: number, message?: string): object => {
      const usage = { input: 100, output: 10 };
      return { id, at, type: "assistant", content: "x", usage, ...(message && { message }) };
    };
    const start = { id: 1, at, type: "session_start", format: 1, session: "i1", cwd: "/p" };
    const file = putLines(env, ".reprise/sessions/p/i1.jsonl", [start, said(2, "a"), said(3)]);
    expect((await reportFor(env)).totals.messages).toBe(4);
    const from = { agent: "claude-code", session: "s1" };
    record(home.journal, "import", { session: "i1", file, last: 3, from });
    appendFileSync(file, `${JSON.stringify(said(4, "c"))}\n`);
    expect((await reportFor(env)).totals.messages).toBe(3);
    // From here on only what is new is read.
    const line = `${JSON.stringify(said(5, "d"))}\n`;
    appendFileSync(file, line);
    expect((await gatherUsage({ env, agents: loadAgents })).readBytes).toBe(line.length);
    expect((await reportFor(env)).totals.messages).toBe(4);
    rmSync(source);
    expect((await reportFor(env)).totals.messages).toBe(4);
    expect((await reportFor(env, { by: "agent" })).groups.map(({ key }) => key)).toEqual([
      "reprise",
    ]);
  });

  test("the kept rows are private, and come back when they are deleted or spoilt", async () => {
    const env = emptyHome();
    put(env, "claude-code/2.1.325/tools");
    const before = await reportFor(env);
    const derived = join(env.home, ".reprise", "derived");
    const kept = join(derived, "usage.bin");
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    for (const spoil of ["", "{}\n[]\n", '{"format":1,"versions":{},"rows":1}\n[]\nxx']) {
      writeFileSync(kept, spoil);
      expect((await reportFor(env)).totals).toEqual(before.totals);
    }
    rmSync(derived, { recursive: true });
    expect((await reportFor(env)).totals).toEqual(before.totals);
    expect(readdirSync(derived)).toEqual(["usage.bin"]);
  });
});
