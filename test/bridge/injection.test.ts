import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claudeCodeHooks as hooks } from "../../src/agents/claude-code/hooks.ts";
import { chosen } from "../../src/bridge/inject/injection.ts";
import { policyOf } from "../../src/bridge/inject/policy.ts";
import { processEvent } from "../../src/bridge/process.ts";
import { emptyState } from "../../src/bridge/state/fold.ts";
import type { BridgeEvent } from "../../src/model/bridge-event.ts";
import { folder } from "./folder.ts";

const state = emptyState("claude-code", "s");

function event(kind: BridgeEvent["kind"], more: Partial<BridgeEvent> = {}): BridgeEvent {
  return { kind, agent: "claude-code", session: "s1", name: "UserPromptSubmit", ...more };
}

/** A window so small that the first prompt fills it. */
function smallWindow(): string {
  const root = folder();
  mkdirSync(root, { recursive: true });
  // However loaded the machine: what is proven here is not the deadline.
  writeFileSync(join(root, "settings.json"), '{"windowTokens":100,"workMs":20000}');
  return root;
}

test("what is given stays within the bracket's budget and the cap of an event", () => {
  const offer = (tokens: number) => ({ kind: "x", text: `t${tokens}`, tokens });
  const policy = policyOf("FRESH");
  const given = chosen([offer(1_500), offer(600), offer(400)], { policy, state }, 4_000);
  expect(given.map(({ tokens }) => tokens)).toEqual([1_500, 400]);
  expect(
    chosen([offer(1_500), offer(90)], { policy, state }, 100).map(({ tokens }) => tokens),
  ).toEqual([90]);
});

test("who says a long text is cheap is not believed", () => {
  const offer = { kind: "x", text: "y".repeat(80_000), tokens: 1 };
  expect(chosen([offer], { policy: policyOf("FRESH"), state }, 4_000)).toEqual([]);
});

test("where little is left only what is pinned is given", () => {
  const offers = [
    { kind: "a", text: "all of it", tokens: 5 },
    { kind: "b", text: "the decision", tokens: 5, pinned: true },
  ];
  const given = chosen(offers, { policy: policyOf("DEPLETED"), state }, 4_000);
  expect(given.map(({ kind }) => kind)).toEqual(["b"]);
});

test("nothing is given twice in one context, and again in the next", async () => {
  const root = smallWindow();
  const first = await processEvent(event("prompt", { prompt: "a" }), { root, hooks });
  expect(first.bracket).toBe("CRITICAL");
  expect(first.output).toContain("additionalContext");
  expect(first.output).toContain("reprise-context");
  expect(first.metrics.injectedTokens).toBeGreaterThan(0);
  expect((await processEvent(event("prompt", { prompt: "b" }), { root, hooks })).output).toBe("");
  await processEvent(event("session_start", { source: "resume" }), { root, hooks });
  expect((await processEvent(event("prompt", { prompt: "c" }), { root, hooks })).output).toBe("");
  await processEvent(event("session_start", { source: "compact" }), { root, hooks });
  expect((await processEvent(event("prompt", { prompt: "d" }), { root, hooks })).output).toContain(
    "reprise-context",
  );
});

test("what one program calls at the same time is taken one after the other: counted each, given once", async () => {
  const root = smallWindow();
  const cwd = folder();
  // The first prompt goes into the ledger, which is loaded then; the others overtake it.
  const calls = ["a", "b", "c", "d"].map((prompt) =>
    processEvent(event("prompt", { prompt, cwd }), { root, hooks }),
  );
  const processed = await Promise.all(calls);
  expect(processed.map(({ promptCount }) => promptCount).toSorted()).toEqual([1, 2, 3, 4]);
  expect(processed.filter(({ output }) => output !== "")).toHaveLength(1);
});

test("where an agent would loop or fail on output, there is none", async () => {
  const root = smallWindow();
  for (const kind of ["stop", "session_end", "tool_after", "pre_compact", "other"] as const)
    expect((await processEvent(event(kind), { root, hooks })).output).toBe("");
  expect((await processEvent(event("prompt", { again: true }), { root, hooks })).output).toBe("");
  const start = event("session_start", { agent: "gemini-cli", source: "startup" });
  expect((await processEvent(start, { root, hooks })).output).toBe("");
});

test("a compaction begins with an empty context, whatever the transcript still ends with", async () => {
  const root = smallWindow();
  const transcript = join(root, "t.jsonl");
  const usage = { input_tokens: 90, output_tokens: 5 };
  writeFileSync(
    transcript,
    `${JSON.stringify({ type: "assistant", message: { model: "m", usage } })}\n`,
  );
  const before = await processEvent(event("prompt", { transcript }), { root, hooks });
  expect(before).toMatchObject({ bracket: "CRITICAL", contextPercent: 95 });
  const after = await processEvent(event("session_start", { transcript, source: "compact" }), {
    root,
    hooks,
  });
  expect(after).toMatchObject({ bracket: "FRESH", contextPercent: 0, promptCount: 1 });
});
