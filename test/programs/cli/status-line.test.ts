import { expect, test } from "vitest";
import { statusText } from "../../../src/programs/cli/terminal/status-line.ts";
import { textWidth } from "../../../src/programs/cli/terminal/width.ts";

test("a line about the progress never takes a second row", () => {
  const told = `Indexing ${"█".repeat(12)}${"░".repeat(12)} 50 % of 120 MB`;
  for (const columns of [1, 2, 20, 40, 50]) {
    expect(textWidth(statusText(told, columns))).toBeLessThan(columns);
  }
  expect(statusText(told, 80)).toBe(told);
});
