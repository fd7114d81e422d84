import { expect, test } from "vitest";
import { loadAgent } from "../../../src/agents/registry.ts";
import type { ConvertRequest } from "../../../src/convert/convert.ts";
import type { Loss } from "../../../src/model/loss.ts";
import { lossReasons } from "../../../src/model/loss.ts";
import { reportText } from "../../../src/programs/cli/resume/report-text.ts";

/* What people read of a conversion names the agents and says what became of what. */

const [source, target] = [(await loadAgent("codex"))!, (await loadAgent("aider"))!];
const request = {
  source: { agent: source },
  target,
} as unknown as ConvertRequest;

function told(...losses: readonly Loss[]): string {
  return reportText(request, { messages: 4, losses, unexpected: [], damage: undefined });
}

test("a report names what was left out or changed with its number, and the agents by their names", () => {
  const text = told(
    { field: "thinking", effect: "dropped", count: 2, reason: lossReasons.noThinking },
    {
      field: "tool call",
      effect: "rewritten",
      count: 1,
      reason: "written as text: the target has no tools",
    },
    { field: "foreign block", effect: "dropped", count: 1, reason: lossReasons.foreignBlock },
    {
      field: "compacted turns",
      effect: "dropped",
      count: 1,
      reason: "no readable summary of them exists",
    },
    {
      field: "earlier turns",
      effect: "summarised",
      count: 1200,
      reason: "they do not fit the target's window",
    },
  );
  expect(text).toBe(`4 messages carried over. Changed or left out:
  2 thinking blocks left out: Aider does not store thinking
  1 tool call written as text: Aider has no tools
  1 block left out: understood by Codex CLI only
  turns before the compaction left out: no readable summary of them exists
  1,200 earlier messages summarised: they do not fit Aider's window`);
});

test("a reason of no agent speaks of the source or the target without the report naming it", () => {
  for (const reason of Object.values(lossReasons)) {
    const text = told({ field: "image", effect: "dropped", count: 1, reason });
    expect(text).not.toMatch(/the source|the target/);
  }
});

test("a report without losses says so", () => {
  expect(told()).toBe("4 messages carried over, nothing lost.");
});
