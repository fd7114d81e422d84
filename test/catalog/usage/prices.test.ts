import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { monthOf, weekOf } from "../../../src/base/days.ts";
import { calendarOf } from "../../../src/catalog/usage/calendar.ts";
import { pricesFor } from "../../../src/catalog/usage/price-file.ts";
import { bundledPrices, priceOf } from "../../../src/catalog/usage/prices.ts";
import { reportOf } from "../../../src/catalog/usage/report.ts";
import { allCounted } from "../../../src/model/usage-scan.ts";
import { UsageTable } from "../../../src/model/usage-table.ts";
import { userHome } from "../../../src/store/home.ts";
import { emptyHome } from "./machine.ts";

const file = {
  agent: "a",
  path: "a",
  session: "a",
  sizeBytes: 1,
  modifiedMs: 1,
  bornMs: 1,
  inode: 1,
};

function costOf(model: string, tokens: Partial<Record<string, number>>): number {
  const table = new UsageTable();
  const none = {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    cacheWriteHour: 0,
    reasoning: 0,
  };
  table.add({
    key: 0,
    atMs: 0,
    model,
    costUsd: Number.NaN,
    side: false,
    tokens: { ...none, ...tokens },
  });
  return reportOf(
    {
      table,
      files: [{ file, end: { facts: {}, uncounted: allCounted }, first: 0, count: 1 }],
      readBytes: 0,
    },
    { by: "model", dayOf: calendarOf("UTC"), prices: bundledPrices },
  ).totals.costUsd;
}

describe("prices", () => {
  test("a point and a dash in a version mean the same, for every maker", () => {
    for (const [one, other] of [
      ["claude-3.5-sonnet", "claude-3-5-sonnet"],
      ["claude-opus-4.8", "claude-opus-4-8"],
      ["gpt-5-1-codex", "gpt-5.1-codex"],
      ["openai/gpt-5-codex-high", "gpt-5-codex"],
      ["models/gemini-2-5-pro", "gemini-2.5-pro"],
    ] as const) {
      expect(priceOf(other, bundledPrices), other).toBeDefined();
      expect(priceOf(one, bundledPrices), one).toEqual(priceOf(other, bundledPrices));
    }
  });

  test("what a router gives away costs nothing", () => {
    expect(costOf("deepseek/deepseek-r1:free", { input: 1e6, output: 1e6 })).toBe(0);
  });

  test("a model is found under its maker, region, date and variant, never by similarity", () => {
    const known = priceOf("claude-sonnet-4-5", bundledPrices);
    for (const name of [
      "claude-sonnet-4-5-20250929",
      "anthropic/claude-sonnet-4-5",
      "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
      "claude-sonnet-4-5@20250929",
      "claude-sonnet-4-5[1m]",
      "claude-sonnet-4.5",
      "anthropic/claude-sonnet-4.5",
      "openrouter/anthropic/claude-sonnet-4.5:beta",
      "anthropic:claude-sonnet-4-5",
      "global.anthropic.claude-sonnet-4-5-20250929-v1:0",
      "us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0",
      "claude-sonnet-4-5-latest",
      "claude-4.5-sonnet",
      "claude-4.5-sonnet-thinking",
    ]) {
      expect(priceOf(name, bundledPrices), name).toBe(known);
    }
    for (const name of ["claude-sonnet-4-55", "gpt-5-mega", "__proto__", "constructor", ""]) {
      expect(priceOf(name, bundledPrices), name).toBeUndefined();
    }
  });

  test("each kind of token has its price", () => {
    expect(costOf("claude-opus-4-5", { cacheRead: 1e6 })).toBeCloseTo(0.5, 9);
    expect(costOf("claude-opus-4-5", { cacheWrite: 1e6 })).toBeCloseTo(6.25, 9);
    expect(costOf("claude-opus-4-5", { cacheWriteHour: 1e6 })).toBeCloseTo(10, 9);
    expect(costOf("gpt-5", { output: 1e6, reasoning: 5e5 })).toBeCloseTo(10, 9);
  });

  test("a long request is charged at the long price as a whole", () => {
    expect(costOf("claude-sonnet-4-5", { input: 1000, cacheRead: 199_000 })).toBeCloseTo(0.0627, 9);
    expect(costOf("claude-sonnet-4-5", { input: 1000, cacheRead: 300_000 })).toBeCloseTo(0.186, 9);
    expect(costOf("gpt-5.5", { input: 300_000 })).toBeCloseTo(3, 9);
  });

  test("a file of one's own goes over the bundled prices", () => {
    const home = userHome(emptyHome());
    expect(pricesFor(home).own).toEqual({});
    const file = join(home.root, "..", "mine.json");
    writeFileSync(
      file,
      '{"models":{"house":{"input":1,"output":2},"gpt-5":{"input":0,"output":0}}}',
    );
    const prices = pricesFor(home, file);
    expect(priceOf("house", prices)).toEqual({ input: 1, output: 2 });
    expect(priceOf("openai/gpt-5-2025-08-07", prices)).toEqual({ input: 0, output: 0 });
  });

  test("a file that says something else is refused with the place", () => {
    const home = userHome(emptyHome());
    const file = join(home.root, "..", "bad.json");
    const problem = (text: string): string => {
      writeFileSync(file, text);
      try {
        pricesFor(home, file);
        return "accepted";
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(problem("{")).toContain("is not JSON");
    expect(problem("[]")).toContain("models must be an object");
    expect(problem('{"models":{"a":{"input":-1,"output":1}}}')).toContain('models["a"].input');
    expect(problem('{"models":{"a":{"input":1}}}')).toContain('models["a"].output');
    expect(problem('{"models":{"a":{"input":1,"output":1,"x":1}}}')).toContain('models["a"].x');
    expect(
      problem('{"models":{"a":{"input":1,"output":1,"long":{"input":1,"output":1}}}}'),
    ).toContain("long.aboveTokens");
    expect(() => pricesFor(home, join(home.root, "none.json"))).toThrow("it is not there");
  });
});

describe("days", () => {
  test("a moment falls on the day of the zone", () => {
    const ms = Date.parse("2026-03-01T02:30:00Z");
    expect(calendarOf("UTC")(ms)).toBe("2026-03-01");
    expect(calendarOf("America/New_York")(ms)).toBe("2026-02-28");
    expect(calendarOf("Asia/Kathmandu")(Date.parse("2026-03-01T18:14:59Z"))).toBe("2026-03-01");
    expect(calendarOf("Asia/Kathmandu")(Date.parse("2026-03-01T18:15:00Z"))).toBe("2026-03-02");
    expect(() => calendarOf("Mars/Olympus")).toThrow("no time zone");
  });

  test("weeks begin on Monday, months are months", () => {
    expect(weekOf("2026-11-15")).toBe("2026-11-09");
    expect(weekOf("2026-11-16")).toBe("2026-11-16");
    expect(monthOf("2026-11-15")).toBe("2026-11");
  });
});
