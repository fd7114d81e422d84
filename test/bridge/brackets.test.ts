import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bracketOf, defaultThresholds, percentLeft } from "../../src/bridge/state/brackets.ts";
import { estimatedContext, measuredContext } from "../../src/bridge/state/context-size.ts";
import { readSettings } from "../../src/bridge/state/settings.ts";
import { folder } from "./folder.ts";

const seed = 20261115;

test("brackets go by what is left of the window", () => {
  const at = [100, 60, 59.9, 40, 39.9, 25, 24.9, 0].map((left) => bracketOf(left));
  expect(at).toEqual([
    ...["FRESH", "FRESH", "MODERATE", "MODERATE"],
    ...["DEPLETED", "DEPLETED", "CRITICAL", "CRITICAL"],
  ]);
});

test("a bracket goes down at once and up only with a margin, so that it does not flicker", () => {
  expect(bracketOf(59, { before: "FRESH" })).toBe("MODERATE");
  expect(bracketOf(61, { before: "MODERATE" })).toBe("MODERATE");
  expect(bracketOf(65, { before: "MODERATE" })).toBe("FRESH");
  expect(bracketOf(41, { before: "CRITICAL" })).toBe("DEPLETED");
  expect(bracketOf(90, { before: "CRITICAL" })).toBe("FRESH");
});

test(`within the margin no sequence of sizes changes the bracket twice (seed ${seed})`, () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 57.6, max: 62.4, noNaN: true }), { minLength: 3 }),
      (sizes) => {
        let bracket = bracketOf(sizes[0]!);
        let changes = 0;
        for (const left of sizes) {
          const next = bracketOf(left, { before: bracket });
          if (next !== bracket) changes += 1;
          bracket = next;
        }
        return changes <= 1;
      },
    ),
    { seed },
  );
});

test("the window is the user's, else the agent's word, else the model's, else 200,000", () => {
  const tokens = { contextTokens: 1_000 };
  const size = (more: object, setting?: number) =>
    measuredContext(
      { ...tokens, ...more },
      { from: "transcript", ...(setting !== undefined && { setting }) },
    ).windowTokens;
  expect(size({})).toBe(200_000);
  expect(size({ model: "gemini-2.5-pro" })).toBe(1_048_576);
  expect(size({ model: "gemini-2.5-pro", windowTokens: 5_000 })).toBe(5_000);
  expect(size({ windowTokens: 5_000 }, 7_000)).toBe(7_000);
  expect(size({ model: "claude-opus[1m]" })).toBe(1_000_000);
  expect(size({ contextTokens: 300_000 })).toBe(1_000_000);
});

test("where nothing was measured a prompt counts 1,800 tokens", () => {
  expect(estimatedContext(3)).toEqual({
    ...{ tokens: 5_400, from: "estimate" },
    ...{ windowTokens: 200_000, windowAssumed: true },
  });
  expect(percentLeft(estimatedContext(0))).toBe(100);
});

test("settings that make no sense are as if they were not there", () => {
  const file = join(folder(), "settings.json");
  for (const text of ["", "[]", '{"brackets":{"fresh":10,"moderate":50}}', '{"windowTokens":-1}']) {
    writeFileSync(file, text);
    const { thresholds, windowTokens } = readSettings(file);
    expect(thresholds).toEqual(defaultThresholds);
    expect(windowTokens).toBeUndefined();
  }
  writeFileSync(file, '{"brackets":{"fresh":80},"budgets":{"FRESH":10},"windowTokens":1000}');
  expect(readSettings(file)).toMatchObject({
    thresholds: { ...defaultThresholds, fresh: 80 },
    budgets: { FRESH: 10 },
    windowTokens: 1_000,
  });
});
