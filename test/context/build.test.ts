import { expect, test } from "vitest";
import { buildContext } from "../../src/context/build.ts";
import { totalUsage } from "../../src/context/usage.ts";
import type { EventBody } from "../../src/model/event.ts";
import { assistant, call, chain, event, result, start, user } from "./events.ts";

const shown = (bodies: readonly EventBody[]) =>
  buildContext(chain(...bodies)).messages.map(({ role, content }) => [
    role,
    ...content.map((block) =>
      block.type === "text" || block.type === "thinking"
        ? block.text
        : block.type === "tool_use" || block.type === "tool_result"
          ? `${block.type}:${block.call}`
          : block.type,
    ),
  ]);
const whats = (list: readonly { what: string; count: number }[]) =>
  Object.fromEntries(list.map(({ what, count }) => [what, count]));

test("events of one model message join, and results stand right behind their calls", () => {
  const m = { message: "m1", model: "model-a" };
  const bodies: EventBody[] = [
    start,
    user("do it"),
    { type: "thinking", content: "hm", signature: "sig", ...m },
    assistant("on it", m),
    call("a", m),
    result("a"),
    call("b", m),
    { type: "user", content: "reminder", injected: true },
    result("b"),
    assistant("done", { message: "m2" }),
  ];
  expect(shown(bodies)).toEqual([
    ["user", "do it"],
    ["assistant", "hm", "on it", "tool_use:a", "tool_use:b"],
    ["tool", "tool_result:a", "tool_result:b"],
    ["user", "reminder"],
    ["assistant", "done"],
  ]);
  const [, message] = buildContext(chain(...bodies)).messages;
  expect(message).toMatchObject({ model: "model-a", events: [3, 4, 5, 7] });
  expect(message?.content[0]).toEqual({ type: "thinking", text: "hm", signature: "sig" });
});

test("without message ids, thinking, text and parallel calls are one message and answers are not", () => {
  expect(
    shown([
      user("q"),
      { type: "thinking", content: "t" },
      assistant("x"),
      call("a"),
      call("b"),
      result("b"),
      result("a"),
      assistant("one"),
      assistant("two"),
    ]),
  ).toEqual([
    ["user", "q"],
    ["assistant", "t", "x", "tool_use:a", "tool_use:b"],
    ["tool", "tool_result:a", "tool_result:b"],
    ["assistant", "one"],
    ["assistant", "two"],
  ]);
});

test("a call without a result gets an error, an orphan and repetitions are left out and reported", () => {
  const context = buildContext(
    chain(
      user("q"),
      call("a"),
      call("b"),
      result("b"),
      result("b", "again"),
      result("z"),
      assistant("x"),
      call("a"),
    ),
  );
  expect(context.messages[2]).toMatchObject({
    role: "tool",
    content: [
      { call: "a", isError: true, content: [{ type: "text", text: "No result was recorded" }] },
      { call: "b", content: [{ type: "text", text: "ok" }] },
    ],
  });
  expect(whats(context.leftOut)).toEqual({
    duplicate_result: 1,
    orphan_result: 1,
    duplicate_call: 1,
  });
  expect(whats(context.remarks)).toEqual({ missing_result: 1 });
});

test("only the conversation reaches a model", () => {
  const unknown = { type: "telepathy", content: "psst" } as unknown as EventBody;
  const context = buildContext(
    chain(
      start,
      { type: "system", content: "be kind" },
      { type: "hook", event: "SessionStart", content: "injected by hook" },
      { type: "hook", event: "Stop", data: { secret: 1 } },
      user("q"),
      { type: "approval", decision: "allow" },
      { type: "note", content: "psst" },
      { type: "plan", content: "psst" },
      { type: "task", task: "t", title: "psst" },
      { type: "meta", title: "psst", model: "model-b", git: { branch: "topic" } },
      unknown,
      { type: "assistant", content: [{ type: "opaque", from: "x", value: "psst" }] },
      assistant("API error", { synthetic: true }),
      assistant("  "),
      assistant("a", { model: "model-c" }),
    ),
  );
  expect(JSON.stringify(context.messages)).not.toContain("psst");
  expect(context.messages.map(({ role, injected }) => [role, injected])).toEqual([
    ["system", undefined],
    ["user", true],
    ["user", undefined],
    ["assistant", undefined],
  ]);
  expect(whats(context.leftOut)).toEqual({
    not_for_models: 6,
    unknown_type: 1,
    opaque_block: 1,
    empty: 2,
    synthetic: 1,
  });
  expect(context).toMatchObject({ model: "model-c", branch: "topic" });
});

test("the newest compaction on the path counts: summary first, then what it keeps, then what follows", () => {
  const bodies: EventBody[] = [
    start,
    { type: "system", content: "be kind" },
    user("old"),
    assistant("older answer"),
    { type: "compaction", summary: "first summary" },
    user("kept"),
    assistant("kept answer"),
    { type: "compaction", summary: "second summary", keepFrom: 6 },
    user("new"),
  ];
  const context = buildContext(chain(...bodies));
  expect(context.compactedAt).toBe(8);
  expect(context.messages[1]).toMatchObject({ role: "user", summary: true, events: [8] });
  expect(shown(bodies)).toEqual([
    ["system", "be kind"],
    ["user", expect.stringContaining("second summary")],
    ["user", "kept"],
    ["assistant", "kept answer"],
    ["user", "new"],
  ]);
  expect(JSON.stringify(context.messages)).not.toContain("first summary");
  expect(whats(context.leftOut)).toEqual({ compacted: 3 });
});

test("a keepFrom that was lost keeps what came after it and says so", () => {
  const events = chain(user("a"), user("b"), user("c"), {
    type: "compaction",
    summary: "s",
    keepFrom: 2,
  });
  const context = buildContext(events.filter(({ id }) => id !== 2));
  expect(context.messages.map(({ events: from }) => from[0])).toEqual([4, 3]);
  expect(whats(context.remarks)).toEqual({ missing_keep_from: 1 });
});

test("a conversation that does not begin with a user is reported", () => {
  expect(whats(buildContext(chain(start, assistant("hello"))).remarks)).toEqual({
    no_user_first: 1,
  });
});

test("hostile contents are left out or named, never fatal", () => {
  const strange = [null, 7, { blob: "sha", size: 99 }, [null, { type: "text" }, { type: "image" }]];
  for (const content of strange) {
    const body = { type: "user", content } as unknown as EventBody;
    const context = buildContext(chain(body, user("ok")));
    expect(context.messages.at(-1)?.content).toEqual([{ type: "text", text: "ok" }]);
  }
  let input: unknown = [];
  for (let level = 0; level < 50_000; level += 1) input = [input];
  expect(buildContext(chain(user("q"), call("a", { input }))).messages).toHaveLength(3);
});

test("usage counts once a message, and the context size is what was recorded", () => {
  const usage = { input: 100, output: 5, cacheRead: 900 };
  const events = chain(
    user("q"),
    { type: "thinking", content: "t", message: "m", usage: { ...usage, output: 1 } },
    assistant("a", { message: "m", usage }),
    assistant("b", { usage: { input: 1, output: 2 } }),
    assistant("err", { synthetic: true, usage: { input: 10_000 } }),
  );
  expect(totalUsage(events)).toEqual({ input: 101, output: 7, cacheRead: 900 });
  const path = events.slice(0, 3);
  expect(buildContext(path).contextTokens).toBe(1005);
  expect(buildContext([...path, event(9, user("x".repeat(400)), 3)]).contextTokens).toBeGreaterThan(
    1005,
  );
  const compacted = [...path, event(9, { type: "compaction", summary: "short" }, 3)];
  expect(buildContext(compacted).contextTokens).toBeLessThan(30);
});

test("the budget keeps the newest turns whole and reports what it leaves out", () => {
  const turn = (n: number): EventBody[] => [
    user(`q${n} ${"x".repeat(36)}`),
    call(`c${n}`),
    result(`c${n}`, "y".repeat(40)),
    { type: "user", content: "reminder", injected: true },
    assistant("z".repeat(40)),
  ];
  const events = chain(
    { type: "system", content: "s".repeat(40) },
    ...turn(1),
    ...turn(2),
    ...turn(3),
  );
  const all = buildContext(events).contextTokens;
  const context = buildContext(events, { budgetTokens: all - 1 });
  expect(context.messages[0]?.role).toBe("system");
  expect(context.messages[1]?.content[0]).toMatchObject({ text: expect.stringMatching(/^q2/) });
  expect(context.messages).toHaveLength(1 + 10);
  expect(context.contextTokens).toBeLessThan(all);
  expect(context.leftOut).toMatchObject([
    { what: "over_budget", count: 5, events: [2, 3, 4, 5, 6] },
  ]);
  const tiny = buildContext(events, { budgetTokens: 1 });
  expect(tiny.messages).toHaveLength(1 + 5);
  expect(whats(tiny.remarks)).toEqual({ exceeds_budget: 1 });
});
