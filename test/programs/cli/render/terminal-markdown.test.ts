import fc from "fast-check";
import { expect, test } from "vitest";
import { markdownLines } from "../../../../src/programs/cli/render/terminal-markdown.ts";
import { colours } from "../../../../src/programs/cli/terminal/colours.ts";
import { textWidth } from "../../../../src/programs/cli/terminal/width.ts";

const seed = 25;
const plain = (text: string, columns: number): readonly string[] =>
  markdownLines(text, { columns, colours: colours(false) });
const styled = (text: string, columns = 80): string =>
  markdownLines(text, { columns, colours: colours(true) }).join("\n");

test("headings, bold, code and links are styled, and their marks go", () => {
  expect(styled("# Plan")).toBe("\u001b[1m\u001b[35mPlan\u001b[39m\u001b[22m");
  expect(styled("a **b** c")).toBe("a \u001b[1mb\u001b[22m c");
  expect(styled("run `npm ci`")).toBe("run \u001b[36mnpm ci\u001b[39m");
  expect(styled("[docs](https://a.example/x)")).toContain("(https://a.example/x)");
});

test("without colours the marks of Markdown stay", () => {
  expect(plain("## Plan\n\n**b** and `c`", 80)).toEqual(["## Plan", "", "**b** and `c`"]);
});

test("an item of a list goes on below its text, and lists in lists are moved in", () => {
  expect(plain("- one two three four five\n  - inner\n9. a\n10. b", 22)).toEqual([
    "• one two three four",
    "  five",
    "  • inner",
    " 9. a",
    "10. b",
  ]);
});

test("a table has columns where every word has room, a line for each cell otherwise", () => {
  const table = "| Name | Use |\n|---|--:|\n| alpha | the first one |\n| b | 2 |";
  expect(plain(table, 40)).toEqual([
    "Name  │           Use",
    "──────┼──────────────",
    "alpha │ the first one",
    "b     │             2",
  ]);
  expect(plain(table, 14)).toContain("alpha │    the");
  expect(plain(table, 10)).toEqual([
    "Name:",
    "alpha",
    "Use: the",
    "first one",
    "",
    "Name: b",
    "Use: 2",
  ]);
});

test("what would act on a terminal is made visible", () => {
  expect(styled("a \u001b]0;title\u0007 b")).toBe("a ␛]0;title␇ b");
  expect(styled("`\u001b[2J`")).toContain("␛[2J");
});

test("a text that is too long or nested too deep is wrapped as it is", () => {
  expect(plain(`**${"a ".repeat(20_000)}**`, 80)[0]).toMatch(/^\*\*a a/);
  expect(plain(">".repeat(20_000), 80).join("").length).toBeGreaterThan(0);
});

test(`no line is wider than asked, and no word is broken that fits one (seed ${seed})`, () => {
  const word = fc.stringMatching(/^[a-z]{1,14}$/);
  const piece = fc.oneof(
    word,
    word.map((text) => `**${text}**`),
    word.map((text) => `\`${text}\``),
    fc.constantFrom("\n", "\n\n", "\n- ", "\n1. ", "\n> ", "\n# ", "\n```\n", "検索終了"),
  );
  const property = fc.property(
    fc.array(piece, { maxLength: 60 }),
    fc.integer({ min: 20, max: 90 }),
    (pieces, columns) => {
      const lines = plain(pieces.join(" "), columns);
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
      const kept = new Set(lines.join("\n").match(/[a-z]+/g) ?? []);
      for (const text of pieces.join(" ").match(/[a-z]+/g) ?? []) expect(kept).toContain(text);
    },
  );
  fc.assert(property, { seed, numRuns: 300 });
});
