import fc from "fast-check";
import { expect, test } from "vitest";
import { buildContext } from "../../src/context/build.ts";
import { compactionFor } from "../../src/context/compaction.ts";
import { estimateTokens } from "../../src/context/estimate.ts";
import { handover } from "../../src/context/handover.ts";
import type { ContextMessage } from "../../src/context/messages.ts";
import { pathOf } from "../../src/context/path.ts";
import { summarise } from "../../src/context/summarise.ts";
import { openingLength } from "../../src/context/window.ts";
import type { EventBody, SessionEvent } from "../../src/model/event.ts";
import { event } from "./events.ts";

const run = { seed: 20261115, numRuns: 400 };

const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.constantFrom("", "We decided to use it. It must stay."),
);
const callId = fc.constantFrom("c1", "c2", "c3", "c4", "c5");
const ofMessage = fc.record(
  {
    message: fc.constantFrom("m1", "m2", "m3"),
    model: fc.constantFrom("a", "b"),
    usage: fc.record({ input: fc.nat(500), output: fc.nat(50) }),
  },
  { requiredKeys: [] },
);

function bodies(lastId: number): fc.Arbitrary<EventBody> {
  return fc.oneof(
    fc.record({ type: fc.constant("user" as const), content: text, injected: fc.boolean() }),
    fc.record({ type: fc.constant("user" as const), content: text }),
    fc
      .tuple(ofMessage, text)
      .map(([more, content]) => ({ type: "assistant" as const, content, ...more })),
    fc
      .tuple(ofMessage, text)
      .map(([more, content]) => ({ type: "thinking" as const, content, ...more })),
    fc.tuple(ofMessage, callId).map(([more, call]) => ({
      type: "tool_use" as const,
      call,
      name: "Bash",
      input: { command: call },
      ...more,
    })),
    fc.record({ type: fc.constant("tool_result" as const), call: callId, content: text }),
    fc.record({ type: fc.constant("hook" as const), event: fc.constant("x"), content: text }),
    fc.record({ type: fc.constant("note" as const), content: text }),
    fc.record({ type: fc.constant("system" as const), content: text }),
    fc.record(
      {
        type: fc.constant("compaction" as const),
        summary: text,
        keepFrom: fc.integer({ min: 1, max: lastId + 1 }),
      },
      { requiredKeys: ["type", "summary"] },
    ),
    fc.constant({ type: "telepathy" } as unknown as EventBody),
  );
}

/** Any tree of events in file order: each parent is some earlier event, mostly the last one. */
const trees: fc.Arbitrary<readonly SessionEvent[]> = fc
  .array(fc.tuple(bodies(30), fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(20))), {
    minLength: 1,
    maxLength: 40,
  })
  .map((items) =>
    items.map(([body, back], index) =>
      event(index + 1, body, index === 0 ? undefined : Math.max(1, index - back)),
    ),
  );
const lines = fc
  .array(bodies(30), { minLength: 1, maxLength: 40 })
  .map((items) =>
    items.map((body, index) => event(index + 1, body, index === 0 ? undefined : index)),
  );

/** The places where a provider would refuse the messages. */
function brokenPairs(messages: readonly ContextMessage[]): readonly string[] {
  const broken: string[] = [];
  const called = new Set<string>();
  messages.forEach((message, index) => {
    const calls = message.content.flatMap((block) =>
      block.type === "tool_use" ? [block.call] : [],
    );
    const answers = message.content.flatMap((block) =>
      block.type === "tool_result" ? [block.call] : [],
    );
    const next = messages[index + 1];
    const given =
      next?.role === "tool"
        ? next.content.flatMap((block) => ("call" in block ? [block.call] : []))
        : [];
    if (message.content.length === 0) broken.push(`empty message ${index}`);
    if (calls.length > 0 && calls.join() !== given.join()) broken.push(`calls of ${index}`);
    if (answers.length > 0 && messages[index - 1]?.role !== "assistant")
      broken.push(`orphans in ${index}`);
    if (message.role === "tool" && answers.length === 0) broken.push(`no answer in ${index}`);
    for (const call of calls) {
      if (called.has(call)) broken.push(`call ${call} twice`);
      called.add(call);
    }
  });
  return broken;
}

test("in any sequence of events every call has its result behind it and no result is an orphan", () => {
  fc.assert(
    fc.property(lines, fc.option(fc.nat(200), { nil: undefined }), (path, budgetTokens) => {
      const options = budgetTokens === undefined ? {} : { budgetTokens };
      expect(brokenPairs(buildContext(path, options).messages)).toEqual([]);
    }),
    run,
  );
});

test("the context is a function of the path: other branches and the order of siblings change nothing", () => {
  fc.assert(
    fc.property(trees, fc.array(bodies(30), { maxLength: 10 }), fc.nat(), (events, extra, pick) => {
      const leaf = events[pick % events.length]!.id;
      const path = pathOf(events, leaf).events;
      const onPath = new Set(path.map(({ id }) => id));
      const branches = extra.map((body, index) =>
        event(1000 + index, body, events[(pick + index) % events.length]!.id),
      );
      const withBranches = [...events, ...branches];
      const shuffled = [...withBranches.filter(({ id }) => !onPath.has(id)).reverse(), ...path];
      const expected = buildContext(path);
      expect(buildContext(pathOf(withBranches, leaf).events)).toEqual(expected);
      expect(buildContext(pathOf(shuffled, leaf).events)).toEqual(expected);
    }),
    run,
  );
});

test("the budget is never exceeded without being reported, and nothing is left out that is not reported", () => {
  fc.assert(
    fc.property(lines, fc.nat(300), (path, budgetTokens) => {
      const all = buildContext(path);
      const context = buildContext(path, { budgetTokens });
      const reported = context.remarks.some(({ what }) => what === "exceeds_budget");
      expect(context.contextTokens <= budgetTokens || reported).toBe(true);
      const dropped = all.messages.length - context.messages.length;
      expect(context.leftOut.some(({ what }) => what === "over_budget")).toBe(dropped > 0);
    }),
    run,
  );
});

test("a reader that starts at the kept part sees the same messages as one that reads everything", () => {
  fc.assert(
    fc.property(lines, (path) => {
      const compactionAt = path.findLastIndex(({ type }) => type === "compaction");
      const compaction = path[compactionAt];
      if (compaction?.type !== "compaction") return;
      const keepFrom = Math.min(compaction.keepFrom ?? compaction.id, compaction.id);
      const opening = path.slice(0, openingLength(path)).filter(({ id }) => id < keepFrom);
      const tail = path.filter(({ id }) => id >= keepFrom);
      expect(buildContext([...opening, ...tail]).messages).toEqual(buildContext(path).messages);
    }),
    run,
  );
});

test("a planned compaction parts no call from its result and keeps no more than asked", () => {
  fc.assert(
    fc.property(lines, fc.nat(150), (path, keepTokens) => {
      const body = compactionFor(path, { keepTokens, summary: "s" });
      if (body === undefined) return;
      const before = buildContext(path);
      // A repetition of a hidden call is no repetition any more.
      if (before.leftOut.some(({ what }) => what.startsWith("duplicate"))) return;
      const after = buildContext([...path, event(path.length + 1, body, path.length)]);
      const counts = (list: readonly { what: string; count: number }[], what: string) =>
        list.find((item) => item.what === what)?.count ?? 0;
      expect(counts(after.leftOut, "orphan_result")).toBeLessThanOrEqual(
        counts(before.leftOut, "orphan_result"),
      );
      const kept = after.messages.filter(
        ({ role, summary }) => role !== "system" && summary !== true,
      );
      const waiting =
        (kept.length > 0 && kept.every(({ role }) => role === "user")) ||
        after.remarks.some(({ what }) => what === "missing_result");
      const tokens = buildContext([
        ...path,
        event(path.length + 1, { ...body, summary: "" }, path.length),
      ]);
      const systems = tokens.messages.filter(({ role }) => role === "system");
      const systemTokens = systems.reduce(
        (sum, { content }) => sum + estimateTokens((content[0] as { text: string }).text),
        0,
      );
      expect(waiting || tokens.contextTokens - systemTokens <= keepTokens).toBe(true);
    }),
    run,
  );
});

test("summaries and hand-overs are bounded and deterministic for any events", () => {
  fc.assert(
    fc.property(lines, fc.nat(500), (path, budgetTokens) => {
      for (const write of [summarise, handover]) {
        const once = write(path, { budgetTokens });
        expect(estimateTokens(once)).toBeLessThanOrEqual(budgetTokens);
        expect(write(path, { budgetTokens })).toBe(once);
      }
    }),
    run,
  );
});

test("a result without a call at the end changes nothing for the others", () => {
  const orphan: EventBody = { type: "tool_result", call: "nobody", content: "lost" };
  fc.assert(
    fc.property(lines, (path) => {
      const plain = buildContext(path);
      // With it the results are no longer those of the calls in their order, and are paired in another way.
      const other = buildContext([...path, event(path.length + 1, orphan, path.length)]);
      const orphans = ({ leftOut }: Pick<typeof plain, "leftOut">): number =>
        leftOut.find(({ what }) => what === "orphan_result")?.count ?? 0;
      expect(orphans(other)).toBe(orphans(plain) + 1);
      expect(resultsOf(other.messages)).toEqual(resultsOf(plain.messages));
    }),
    run,
  );
});

/** Every call with what answers it, in order. */
function resultsOf(messages: readonly ContextMessage[]): readonly unknown[] {
  return messages.flatMap(({ content }) =>
    content.filter(({ type }) => type === "tool_use" || type === "tool_result"),
  );
}
