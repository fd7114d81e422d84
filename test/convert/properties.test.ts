import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadAgents } from "../../src/agents/registry.ts";
import { flattened } from "../../src/convert/flatten.ts";
import { Normaliser } from "../../src/convert/normalise.ts";
import { Losses } from "../../src/convert/report.ts";
import { everything } from "../../src/convert/verify.ts";
import type { Content } from "../../src/model/block.ts";
import type { EventBody } from "../../src/model/event.ts";
import type { OutgoingMessage } from "../../src/model/outgoing.ts";
import type { Act, SpokenCall, ToolDialect } from "../../src/model/tool-dialect.ts";

const agents = await loadAgents();

const seed = 20_261_115;
const runs = { seed, numRuns: 500 };

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("", " ", "\n", "# a", "hello"),
);
const content: fc.Arbitrary<Content> = fc.oneof(
  text,
  fc.array(
    fc.oneof(
      fc.record({ type: fc.constant("text" as const), text }),
      fc.record({
        type: fc.constant("image" as const),
        mediaType: fc.constantFrom("image/png", "image/tiff"),
        source: fc.constant({ kind: "base64" as const, data: "AA==" }),
      }),
      fc.constant({ type: "opaque" as const, from: "x", value: null }),
    ),
    { maxLength: 3 },
  ),
);
const callId = fc.oneof(
  fc.constantFrom("a", "b", "c", "a/b", "", "__proto__"),
  fc.string({ maxLength: 60 }),
);
const message = fc.option(fc.constantFrom("m1", "m2"), { nil: undefined });
const ofMessage = message.map((id) => (id === undefined ? {} : { message: id }));

const body: fc.Arbitrary<EventBody> = fc.oneof(
  fc.record({ type: fc.constant("user" as const), content, injected: fc.boolean() }),
  fc.record({ type: fc.constant("system" as const), content }),
  fc.record({ type: fc.constant("compaction" as const), summary: text }),
  fc.record({ type: fc.constant("hook" as const), event: text, content }),
  fc
    .tuple(ofMessage, content)
    .map(([of, said]) => ({ type: "assistant" as const, content: said, ...of })),
  fc
    .tuple(ofMessage, text)
    .map(([of, said]) => ({ type: "thinking" as const, content: said, ...of })),
  fc.tuple(ofMessage, callId, fc.jsonValue()).map(([of, call, input]) => ({
    type: "tool_use" as const,
    call,
    name: "T",
    input,
    ...of,
  })),
  fc.record({
    type: fc.constant("tool_result" as const),
    call: callId,
    content,
    isError: fc.boolean(),
  }),
  fc.record({ type: fc.constant("note" as const), content }),
);

function normalised(bodies: readonly EventBody[]): OutgoingMessage[] {
  const normaliser = new Normaliser({
    holds: { ...everything, images: ["image/png"], thinking: "never" },
    sameAgent: false,
    from: undefined,
    to: undefined,
    mappings: [],
    losses: new Losses(),
  });
  const at = "2026-11-15T10:00:00.000Z";
  const messages = bodies.flatMap((one) => [...normaliser.next({ at, body: one })]);
  return [...messages, ...normaliser.end()];
}

/** What an API would say against a conversation. */
function complaints(messages: readonly OutgoingMessage[]): readonly string[] {
  const wrong: string[] = [];
  const ids = new Set<string>();
  let open: string[] = [];
  for (const [index, one] of messages.entries()) {
    if (index === 0 && one.role !== "user" && one.role !== "summary")
      wrong.push("does not begin with a user");
    if (index > 0 && one.role === "summary") wrong.push("summary is not first");
    if (open.length > 0 && one.role !== "results") wrong.push("calls without answers");
    if (one.role === "results") {
      if (one.results.map(({ call }) => call).join() !== open.join())
        wrong.push("answers do not fit");
      open = [];
    } else if (one.role === "assistant") {
      if (one.content.length === 0) wrong.push("empty answer");
      open = one.content.flatMap((part) => (part.type === "tool_use" ? [part.call] : []));
      for (const id of open) {
        if (ids.has(id)) wrong.push(`id ${id} twice`);
        if (!/^[A-Za-z0-9_-]{1,40}$/.test(id)) wrong.push(`id ${id} is not valid`);
        ids.add(id);
      }
    } else if (one.role === "user" && one.content.length === 0) wrong.push("empty question");
    const said = one.role === "user" || one.role === "assistant" ? one.content : [];
    if (said.some((part) => part.type === "text" && part.text.trim() === ""))
      wrong.push("blank text");
  }
  return open.length > 0 ? [...wrong, "the last calls have no answers"] : wrong;
}

describe(`any events at all (seed ${seed})`, () => {
  test("become a conversation that no API refuses", () => {
    fc.assert(
      fc.property(fc.array(body, { maxLength: 25 }), (bodies) => {
        expect(complaints(normalised(bodies))).toEqual([]);
      }),
      runs,
    );
  });

  test("keep every text of users, models and tools that is not blank", () => {
    fc.assert(
      fc.property(fc.array(body, { maxLength: 25 }), (bodies) => {
        const all = JSON.stringify(normalised(bodies));
        for (const one of bodies) {
          if (one.type !== "user" && one.type !== "assistant" && one.type !== "tool_result")
            continue;
          if (one.type === "user" && one.injected) continue;
          const texts =
            typeof one.content === "string"
              ? [one.content]
              : one.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
          for (const said of texts)
            if (said.trim() !== "") expect(all).toContain(JSON.stringify(said));
        }
      }),
      runs,
    );
  });

  test("become turns in one voice each where the target knows no tools", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(body, { maxLength: 25 }), async (bodies) => {
        const messages = normalised(bodies);
        const flat: OutgoingMessage[] = [];
        const source = (async function* () {
          yield* messages;
        })();
        for await (const one of flattened(source, new Losses())) flat.push(one);
        expect(flat.some(({ role }) => role === "results")).toBe(false);
        expect(
          flat.some(({ role }, index) => role === "assistant" && flat[index + 1]?.role === role),
        ).toBe(false);
        expect(complaints(flat)).toEqual([]);
      }),
      runs,
    );
  });
});

const acts: readonly Act[] = ["read", "write", "edit", "shell", "glob", "grep"];
const words = agents.flatMap(({ name, tools }) => (tools === undefined ? [] : [{ name, tools }]));

/** A call in the words of a dialect, with whatever else its agent may say. */
function calls(tools: ToolDialect): fc.Arbitrary<SpokenCall> {
  const argument = fc.constantFrom("x", "/a/b.txt", "two\nlines", "*** End Patch", "");
  const args = fc.record(
    {
      path: argument,
      content: argument,
      before: argument,
      after: argument,
      command: argument,
      pattern: argument,
      all: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const extra = fc.dictionary(
    fc.constantFrom("path", "input", "edits", "command", "limit", "__proto__", "cmd"),
    fc.jsonValue(),
    { maxKeys: 2 },
  );
  const spoken = fc
    .tuple(fc.constantFrom(...acts), args, extra)
    .map(
      ([act, said, more]) =>
        tools.spoken({ act, args: said, extra: more }) ?? { name: "unknown", input: more },
    );
  const random = fc.record({
    name: fc.constantFrom(
      "Read",
      "read",
      "edit",
      "apply_patch",
      "exec_command",
      "replace",
      "unknown",
    ),
    input: fc.dictionary(
      fc.constantFrom("path", "file_path", "filePath", "input", "edits", "command", "x"),
      fc.jsonValue(),
    ),
  });
  return fc.oneof(spoken, random);
}

describe.each(words)(`a call in the words of $name (seed ${seed})`, ({ tools: own }) => {
  test.each(words)("comes back from $name as it was, or is not translated", ({ tools: other }) => {
    fc.assert(
      fc.property(calls(own), (call) => {
        const neutral = own.neutral(call);
        const there = neutral === undefined ? undefined : other.spoken(neutral);
        if (there === undefined) return;
        const understood = other.neutral(there);
        expect(understood).toEqual(neutral);
        expect(own.spoken(understood!)).toEqual(call);
      }),
      { seed, numRuns: 300 },
    );
  });
});
