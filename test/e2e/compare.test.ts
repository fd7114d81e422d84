import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compareText } from "../../src/programs/cli/render/compare-text.ts";
import { colours } from "../../src/programs/cli/terminal/colours.ts";
import { textWidth } from "../../src/programs/cli/terminal/width.ts";
import { putClaudeSession, putFixture } from "./agents-home.ts";
import { machine } from "./program.ts";

interface Side {
  readonly prompts: number;
  readonly calls: number;
  readonly failed: number;
  readonly tokens: { readonly total: number };
  readonly costUsd?: number;
  readonly files: readonly { readonly path: string; readonly added: number }[];
  readonly turns: readonly { readonly prompt: string; readonly answer: string }[];
}

interface Compared {
  readonly common: { readonly shared: number; readonly last?: readonly string[] };
  readonly a: Side;
  readonly b: Side;
}

const secret = "ghp_0123456789abcdefghijABCDEFGHIJ456789";

describe("reprise compare", () => {
  test("begins where a session and its copy differ", () => {
    const here = machine();
    putFixture(here, "claude-code/2.1.325/forked-flag");
    const found = here.json("compare", "a5b84473", "3dab3b00") as unknown as Compared;
    expect(found.common).toMatchObject({ shared: 2, last: ["18", "15"] });
    expect(found.a.turns.map(({ prompt }) => prompt)).toEqual(["think about primes below ten"]);
    expect(found.b.turns.map(({ prompt }) => prompt)).toEqual(["which port does the server use?"]);
    expect(found.a.tokens.total).toBe(2764);
    expect(found.a.costUsd).toBeGreaterThan(0);
  });

  test("compares an abandoned branch with what replaced it: calls, files, failures", () => {
    const here = machine();
    putFixture(here, "claude-code/2.1.325/tui-rewind-interrupt");
    const found = here.json("compare", "a463e22f@56", "a463e22f") as unknown as Compared;
    expect(found.a).toMatchObject({ prompts: 1, calls: 5, failed: 1 });
    expect(found.a.files.map(({ path, added }) => [path, added])).toEqual([
      ["/home/dev/acme-api/src/util.js", 1],
      ["/home/dev/acme-api/src/util.test.js", 2],
    ]);
    expect(found.b).toMatchObject({ prompts: 3, files: [] });
  });

  test("finds the common beginning of a session and its conversion into another agent", () => {
    const here = machine();
    putFixture(here, "claude-code/2.1.325/tools");
    const { ref } = here.json("fork", "df8f3785", "--in", "codex");
    const found = here.json("compare", "df8f3785", String(ref)) as unknown as Compared;
    expect(found.common.shared).toBeGreaterThanOrEqual(12);
    expect(found.a.turns).toEqual([]);
    expect(found.b.turns).toEqual([]);
  });

  test("documents have secrets masked, hold no markup of what was said, and ask for nothing", () => {
    const here = machine();
    const id = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
    const hostile = `<script>alert(1)</script> | ![x](http://evil.example/x.png) token ${secret}`;
    putClaudeSession(here, { id: id("1") }, [
      { user: "start", says: "ok" },
      { user: hostile, says: hostile },
    ]);
    putClaudeSession(here, { id: id("2") }, [
      { user: "start", says: "ok" },
      { user: "b", says: "c" },
    ]);
    for (const format of ["md", "html"]) {
      const file = join(here.cwd, `out.${format}`);
      const told = here.json("compare", id("1"), id("2"), "--format", format, "-o", file);
      expect(told).toMatchObject({ written: file, format });
      const text = readFileSync(file, "utf8");
      expect(text).not.toContain(secret);
      expect(text).not.toContain("<script>alert");
      if (format === "md") expect(text).not.toMatch(/!\[x\]\(http/);
      else expect(text).toContain("default-src 'none'");
    }
    expect(here.run("compare", id("1"), id("2"), "--json").stdout).toContain(secret);
    expect(here.run("compare", id("1"), id("2"), "-o", "out.md").status).toBe(4);
  });

  test.each([40, 80, 200])("fits a terminal of %i columns, with and without colour", (columns) => {
    const head = {
      agent: "claude-code",
      session: "5a3e1c0f",
      path: "/nowhere",
      sizeBytes: 1,
      updatedAt: "2026-11-10T10:00:00.000Z",
      state: "waiting",
      title: "日本語 ".repeat(30),
    } as const;
    const turn = {
      event: "3",
      prompt: "\u001b[31mlong prompt ".repeat(40),
      answer: "東京 answer\tanswer ".repeat(60),
      calls: [{ event: "4", name: "Bash", subject: "x ".repeat(200) }],
    };
    const side = {
      events: 3,
      prompts: 1,
      answers: 1,
      calls: 1,
      failed: 0,
      tools: { Bash: 1 },
      files: [
        {
          path: `/${"deep/".repeat(40)}file.ts`,
          action: "modified" as const,
          added: 1,
          removed: 2,
          events: ["4"],
        },
      ],
      tokens: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, total: 10 },
      models: ["a-model-with-a-name-that-is-rather-long-for-a-table"],
      turns: [turn],
      more: 0,
    };
    for (const enabled of [true, false]) {
      const text = compareText(
        {
          common: { shared: 1, last: ["2", "2"], prompt: "p ".repeat(200) },
          sides: [side, { ...side, turns: [] }],
          refs: ["claude-code:5a3e1c0f", "codex:01a1"],
          heads: [head, head],
        },
        { colours: colours(enabled), out: { isTerminal: true, columns } },
      );
      expect(text.includes("\u001b")).toBe(enabled);
      for (const line of text.replace(/\u001b\[\d+m/g, "").split("\n")) {
        expect(textWidth(line), line).toBeLessThanOrEqual(columns);
      }
    }
  });
});
