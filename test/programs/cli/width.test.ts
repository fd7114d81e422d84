import fc from "fast-check";
import { expect, test } from "vitest";
import { padded, textWidth, truncated, wrapped } from "../../../src/programs/cli/terminal/width.ts";

test("wide characters and emoji take two columns, combining marks none", () => {
  expect(textWidth("abc")).toBe(3);
  expect(textWidth("日本")).toBe(4);
  expect(textWidth("🎉")).toBe(2);
  expect(textWidth("e\u0301")).toBe(1);
});

test("a cut text says so and fits", () => {
  expect(truncated("abcdef", 4)).toBe("abc…");
  expect(truncated("日本語", 4)).toBe("日…");
  expect(padded("日", 4)).toBe("日  ");
  expect(truncated("abc", 0)).toBe("");
});

test("blanks where a line breaks are left out, those it begins with stay", () => {
  expect(wrapped("  one          two", 6)).toEqual(["  one", "two"]);
  expect(wrapped("one   two", 4)).toEqual(["one", "two"]);
});

test("no wrapped line is wider than asked for, and no letter is lost", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      fc.integer({ min: 2, max: 40 }),
      (text, columns) => {
        const lines = wrapped(text, columns);
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
        expect(lines.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      },
    ),
    { seed: 20261115, numRuns: 300 },
  );
});
