import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { usage } from "../../../src/agents/copilot-cli/usage.ts";
import { tokenKinds, UsageTable } from "../../../src/model/usage-table.ts";
import { fixture } from "./sessions.ts";

/** The sums of all rows, by kind, when the lines are taken in two parts. */
function counted(bytes: Buffer, cutAfterLines: number) {
  const table = new UsageTable();
  const cut = bytes.toString("latin1").split("\n").slice(0, cutAfterLines).join("\n").length + 1;
  const first = usage.lines!(table, { session: "s" });
  first.take(bytes.subarray(0, cut));
  const carry = first.carry?.();
  const second = usage.lines!(table, { session: "s", carry });
  second.take(bytes.subarray(cut));
  const sums = tokenKinds.map((kind, index) => {
    let sum = 0;
    for (let row = 0; row < table.length; row += 1)
      sum += table.tokens[row * tokenKinds.length + index]!;
    return [kind, sum];
  });
  return { ...Object.fromEntries(sums), absurd: first.absurd + second.absurd, ...first.facts };
}

test("requests that are recorded one by one are counted once, wherever counting stopped", () => {
  const bytes = readFileSync(fixture("tools"));
  for (const cut of [1, 5, 20, 40]) {
    const { input, output, cwd } = counted(bytes, cut);
    expect({ input, output, cwd }).toEqual({ input: 70, output: 35, cwd: "/home/dev/acme-api" });
  }
});

test("a summary's own request counts", () => {
  const { input, output } = counted(readFileSync(fixture("compact")), 12);
  expect({ input, output }).toEqual({ input: 30, output: 15 });
});

test("older versions' totals bring what the answers did not state, and no output twice", () => {
  const bytes = readFileSync(fixture("rich"));
  for (const cut of [1, 10, 27]) {
    expect(counted(bytes, cut)).toMatchObject({
      input: 400,
      output: 80,
      cacheRead: 600,
      reasoning: 15,
    });
  }
});

test("counts that cannot be are told, not counted", () => {
  const record = { type: "session.usage_record", data: { usage: { inputTokens: -1 } } };
  expect(counted(Buffer.from(`{}\n${JSON.stringify(record)}\n`), 1).absurd).toBe(1);
});
