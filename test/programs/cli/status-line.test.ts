import { expect, test } from "vitest";
import { progressText } from "../../../src/programs/cli/terminal/index-progress.ts";
import { statusText } from "../../../src/programs/cli/terminal/status-line.ts";
import { textWidth } from "../../../src/programs/cli/terminal/width.ts";

test("a line about the progress never takes a second row", () => {
  const told = `Indexing ${"█".repeat(12)}${"░".repeat(12)} 50 % of 120 MB`;
  for (const columns of [1, 2, 20, 40, 50]) {
    expect(textWidth(statusText(told, columns))).toBeLessThan(columns);
  }
  expect(statusText(told, 80)).toBe(told);
});

test("progress tells the share, the rate and the time left, over all parts of the work", () => {
  const told = progressText();
  const mb = 1024 * 1024;
  expect(told({ bytes: 10 * mb, ofBytes: 100 * mb }, 1_000)).toContain("10 % of 100 MB");
  expect(told({ bytes: 50 * mb, ofBytes: 100 * mb }, 2_000)).toContain(
    "50 % of 100 MB, 50 MB/s, 1 s left",
  );
  // The next part begins with what the first one left.
  expect(told({ bytes: 25 * mb, ofBytes: 50 * mb }, 3_000)).toContain("75 % of 100 MB");
  expect(told({ bytes: 0, ofBytes: 25 * mb }, 100_000)).toMatch(/left$/);
});
