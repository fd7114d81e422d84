import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compareText } from "../../src/programs/cli/render/compare-text.ts";
import { colours } from "../../src/programs/cli/terminal/colours.ts";
import { textWidth } from "../../src/programs/cli/terminal/width.ts";
import { putClaudeSession, putFixture, type Turn } from "./agents-home.ts";
import { machine } from "./program.ts";

interface Side {
  readonly prompts: number;
  readonly calls: number;
  readonly failed: number;
  readonly unanswered: number;
  readonly tokens: { readonly total: number };
  readonly costUsd?: number;
  readonly files: readonly { readonly path: string; readonly added: number }[];
  readonly turns: readonly {
    readonly prompt: string;
    readonly answer: string;
    readonly calls: readonly {
      readonly subject: string;
      readonly failed?: true;
      readonly unanswered?: true;
    }[];
  }[];
}

interface Compared {
  readonly common: { readonly shared: number; readonly last?: readonly string[] };
  readonly a: Side;
  readonly b: Side;
}

/** A record of one message, whichever part of it: the message's id is the same in all. */
const model = { role: "assistant", id: "msg_1", model: "claude-opus-4-6" } as const;

function calls(id: string, command: string): object {
  const content = [{ type: "tool_use", id, name: "Bash", input: { command } }];
  return { type: "assistant", message: { ...model, content } };
}

function answers(id: string, content: string, { failed = false } = {}): object {
  const result = { type: "tool_result", tool_use_id: id, content, is_error: failed };
  return { type: "user", message: { role: "user", content: [result] } };
}

function says(text: string): object {
  const content = [{ type: "text", text }];
  return { type: "assistant", message: { ...model, id: "msg_2", content } };
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

  /** Calls of one message whose results came one by one, as Claude Code writes them: 3 and 5 are calls, 4 and 6 results. */
  const parallel: readonly Turn[] = [
    { user: "run the checks" },
    { record: calls("toolu_1", "npm test") },
    { record: answers("toolu_1", "Exit code 1", { failed: true }) },
    { record: calls("toolu_2", "npm run lint") },
    { record: answers("toolu_2", "clean") },
    { record: says("One check fails.") },
  ];

  test("a fork is the same up to the event it was made at, also in the middle of parallel calls", () => {
    const here = machine();
    const id = "33333333-0000-4000-8000-000000000000";
    putClaudeSession(here, { id }, parallel);
    const { ref } = here.json("fork", `${id}@4`);
    const found = here.json("compare", id, String(ref)) as unknown as Compared;
    expect(found.common.last?.[0]).toBe("4");
    expect(found.a).toMatchObject({ calls: 0, failed: 0, unanswered: 0 });
    expect(found.b).toMatchObject({ calls: 0, failed: 0, unanswered: 1, turns: [] });
  });

  test("a call that was cut off has no result; it did not fail", () => {
    const here = machine();
    const id = "44444444-0000-4000-8000-000000000000";
    const other = "55555555-0000-4000-8000-000000000000";
    putClaudeSession(here, { id }, parallel);
    putClaudeSession(here, { id: other }, [{ user: "something else" }]);
    const { ref } = here.json("fork", `${id}@4`);
    const found = here.json("compare", String(ref), other) as unknown as Compared;
    expect(found.a).toMatchObject({ calls: 2, failed: 1, unanswered: 1 });
    expect(found.a.turns[0]?.calls).toMatchObject([
      { subject: "npm test", failed: true },
      { subject: "npm run lint", unanswered: true },
    ]);
    const text = here.run("compare", String(ref), other).stdout;
    expect(text).toMatch(/^no result +1$/m);
    const document = here.run("compare", String(ref), other, "--format", "md").stdout;
    expect(document).toContain("npm run lint (no result)");
  });

  test.each(["gemini-cli", "codex", "pi", "claude-code"])(
    "a copy for %s is the same conversation to its end, and that is all there is to say",
    (agent) => {
      const here = machine();
      const id = "66666666-0000-4000-8000-000000000000";
      putClaudeSession(here, { id }, parallel);
      const { ref } = here.json("fork", id, "--in", agent);
      const { stdout } = here.run("compare", id, String(ref));
      expect(stdout).toContain(
        "The same conversation from beginning to end, 6 messages, calls and results, up to @",
      );
      expect(stdout).not.toMatch(/prompts|tokens|cost/);
    },
  );

  test.each(["gemini-cli", "codex", "pi", "claude-code"])(
    "a shortened copy for %s is the same as the later turns of its original",
    (agent) => {
      const here = machine();
      const id = "88888888-0000-4000-8000-000000000000";
      const long = Array.from({ length: 12 }, (_, index) => ({
        user: `Question ${index}: ${"why so? ".repeat(60)}`,
        says: `Answer ${index}: ${"because. ".repeat(60)}`,
      }));
      putClaudeSession(here, { id }, long);
      const { ref } = here.json("fork", id, "--in", agent, "--budget", "1000");
      const { stdout } = here.run("compare", id, String(ref));
      const said = stdout.replaceAll(/\s+/g, " ");
      expect(said).toMatch(
        /B begins .*; the same from A @19 and B @\S+ on, 6 messages, calls and results, up to @24 and/,
      );
      const found = here.json("compare", String(ref), id);
      expect(found).toMatchObject({ common: { shared: 6 }, later: { side: "a" } });
      expect(found["a"]).toMatchObject({ turns: [] });
    },
  );

  test("a copy that ends where its original goes on is said to, without zeros and an empty column", () => {
    const here = machine();
    const id = "99999999-0000-4000-8000-000000000000";
    const edit = (key: string, name: string): Turn => {
      const input = {
        file_path: join(here.cwd, "a.txt"),
        old_string: name,
        new_string: `${name}\n`,
      };
      const content = [{ type: "tool_use", id: key, name: "Edit", input }];
      return { record: { type: "assistant", message: { ...model, id: key, content } } };
    };
    const done = (key: string): Turn => ({ record: answers(key, "ok") });
    putClaudeSession(here, { id }, [
      { user: "begin", says: "Begun." },
      { user: "change it" },
      ...[edit("toolu_1", "one"), done("toolu_1"), edit("toolu_2", "two"), done("toolu_2")],
      { user: "thanks", says: "Done." },
    ]);
    const { ref } = here.json("fork", `${id}@2`);
    const text = here.run("compare", String(ref), id).stdout;
    expect(text.replaceAll(/\s+/g, " ")).toMatch(
      /The same up to @2( and @2)?, 2 messages, calls and results; the last common prompt is "begin"\. A ends here; B continues with 2 prompts\./,
    );
    expect(text).not.toMatch(/^(?:prompts|tokens|calls) +0/m);
    expect(text).toMatch(/^@3 ❯ change it$/m);
    expect(text).toMatch(/a\.txt .*@4 @6$/m);
    const page = here.run("compare", String(ref), id, "--format", "html").stdout;
    expect(page).toContain("A ends here; B continues with 2 prompts.");
    expect(page).not.toContain('class="pair"');
  });

  test("of two sessions without anything in common there are figures and a few files, below both titles", () => {
    const here = machine();
    const id = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
    const edits = Array.from({ length: 8 }, (_, at): readonly Turn[] => {
      const file_path = join(here.cwd, `${at}.txt`);
      const input = { file_path, old_string: "one", new_string: "two" };
      const content = [{ type: "tool_use", id: `toolu_${at}`, name: "Edit", input }];
      const message = { ...model, id: `msg_${at}`, content };
      return [{ record: { type: "assistant", message } }, { record: answers(`toolu_${at}`, "ok") }];
    });
    const [long, other] = [`Plan: ${"a bridge and a road, ".repeat(3)}`, "Cook a soup"];
    putClaudeSession(here, { id: id("1") }, [{ user: long }, ...edits.flat()]);
    putClaudeSession(here, { id: id("2") }, [{ user: other, says: "Cooked." }]);
    const { stdout } = here.run("compare", id("1"), id("2"));
    const [a, titleOfA, b, titleOfB, common] = stdout.split("\n");
    expect([a, titleOfA]).toEqual([`A claude-code:${id("1")}`, `  ${long.trim()}`]);
    expect([b, titleOfB]).toEqual([`B claude-code:${id("2")}`, `  ${other}`]);
    expect(common).toBe("They have nothing in common.");
    expect(stdout.match(/\.txt /g)).toHaveLength(5);
    expect(stdout).toContain("and 3 more files\n");
    expect(stdout).not.toContain("Cooked.");
    expect(stdout).toMatch(/\n\nTheir turns, one after the other: --format md, or html\.\n$/);
    expect(here.run("compare", id("1"), id("2"), "--format", "md").stdout).toContain("Cooked.");
  });

  test("the same calls with other results are different", () => {
    const here = machine();
    const id = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
    const turns = (call: string, result: string): readonly Turn[] => [
      { user: "run the checks" },
      { record: calls(call, "npm test") },
      { record: answers(call, result) },
      { record: says("Done.") },
    ];
    putClaudeSession(here, { id: id("7") }, turns("toolu_7", "3 passed"));
    putClaudeSession(here, { id: id("8") }, turns("toolu_8", "4 passed"));
    const found = here.json("compare", id("7"), id("8")) as unknown as Compared;
    expect(found.common).toMatchObject({ shared: 2, last: ["2", "2"] });
    expect(found.a.turns).toMatchObject([{ answer: "Done." }]);
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
      unanswered: 0,
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
