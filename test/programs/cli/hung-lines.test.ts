import fc from "fast-check";
import { expect, test } from "vitest";
import { hungLines } from "../../../src/programs/cli/terminal/hung-lines.ts";
import { textWidth } from "../../../src/programs/cli/terminal/width.ts";

const seed = 20261119;

test("a line that fits stays as it is", () => {
  expect(hungLines("    return 1;", 20)).toEqual(["    return 1;"]);
  expect(hungLines("", 20)).toEqual([""]);
});

test.each([
  ["    return one + two", ["    return", "    one + two"]],
  ["  7→one two three", ["  7→one two", "    three"]],
  [" 12:one two three", [" 12:one two", "    three"]],
  ["7\tone two three", ["7    one two", "     three"]],
  ["- one two three", ["- one two", "  three"]],
  ["| a           | b", ["| a", "| b"]],
])("what a line goes on with hangs under its text: %j", (line, lines) => {
  expect(hungLines(line, 13)).toEqual(lines);
});

test("a lead that leaves no room gives way, its end stays", () => {
  expect(hungLines(`${" ".repeat(20)}7→one two`, 10)).toEqual(["   7→one", "     two"]);
});

test("a word that fits the width is not broken for the sake of the lead", () => {
  expect(hungLines("      - abc defghijklm", 12)).toEqual(["- abc", "  defghijklm"]);
  expect(hungLines("      abc defghijklm", 12)).toEqual(["  abc", "  defghijklm"]);
});

test(`no line is wider than asked for, and no letter is lost (seed ${seed})`, () => {
  const piece = fc.constantFrom(" ", "\t", "    ", "7→", "word", "検索", "🎉", "x".repeat(30), "-");
  const property = fc.property(
    fc.array(piece, { maxLength: 20 }),
    fc.integer({ min: 4, max: 40 }),
    (pieces, columns) => {
      const line = pieces.join("");
      const lines = hungLines(line, columns);
      for (const one of lines) expect(textWidth(one)).toBeLessThanOrEqual(columns);
      expect(lines.join("").replace(/\s/g, "")).toBe(line.replace(/\s/g, ""));
    },
  );
  fc.assert(property, { seed, numRuns: 500 });
});
