import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EventBody } from "../../src/model/event.ts";
import { toAiSdk } from "../../src/providers/ai-sdk.ts";
import { type Atom, wires } from "../real/wire.mjs";
import { bodiesOf, brokenRules, contextOf } from "./bodies.ts";

const seed = Date.now() % 1_000_000;
const image = {
  type: "image",
  mediaType: "image/png",
  source: { kind: "base64", data: "iVBORw0KGgo=" },
} as const;

/** A conversation with everything an API treats in its own way. */
const rich: readonly EventBody[] = [
  { type: "system", content: "You are terse." },
  { type: "user", content: [{ type: "text", text: "Look at this" }, image] },
  { type: "thinking", content: "hm", signature: "sig", message: "m1", model: "m" },
  { type: "assistant", content: "I will run two tools.", message: "m1", model: "m" },
  {
    type: "tool_use",
    call: "call/1",
    name: "read file",
    input: { path: "a" },
    message: "m1",
    model: "m",
  },
  { type: "tool_use", call: "call/2", name: "shell", input: "ls", message: "m1", model: "m" },
  { type: "tool_result", call: "call/1", content: "content of a" },
  {
    type: "tool_result",
    call: "call/2",
    content: [{ type: "text", text: "no" }, image],
    isError: true,
  },
  { type: "user", content: "And now?" },
  { type: "assistant", content: "Done.", message: "m2", model: "m", endTurn: true },
  { type: "user", content: "Thanks" },
];

describe("requests", () => {
  test("every API is told the same conversation", () => {
    const { anthropic, responses, chat, gemini } = bodiesOf(contextOf(rich));
    const told = [anthropic, responses, chat, gemini].map((body, index) =>
      [...wires[index]!.atoms(body)].map(plain).filter(isConversation),
    );
    expect(told[0]).toEqual([
      "user: Look at this",
      "assistant: I will run two tools.",
      expect.stringMatching(/^call call_\w+ read_file \{"path":"a"\}$/),
      expect.stringMatching(/^call call_\w+ shell \{"input":"ls"\}$/),
      expect.stringMatching(/^result call_\w+: content of a$/),
      expect.stringMatching(/^result call_\w+: no$/),
      "user: And now?",
      "assistant: Done.",
      "user: Thanks",
    ]);
    for (const other of told.slice(1)) expect(other).toEqual(told[0]);
  });

  test("images go where each API takes them", () => {
    const { anthropic, responses, chat, gemini } = bodiesOf(contextOf(rich));
    for (const [index, body] of [anthropic, responses, chat, gemini].entries()) {
      const images = [...wires[index]!.atoms(body)].filter(({ kind }) => kind === "image");
      expect(images, `API ${index}`).toHaveLength(2);
    }
  });

  test("thinking is sent back to the model that thought it, and to no other", () => {
    const context = contextOf(rich);
    expect(JSON.stringify(bodiesOf(context).anthropic)).toContain('"signature":"sig"');
    expect(JSON.stringify(bodiesOf(context).responses)).toContain('"encrypted_content":"sig"');
    expect(JSON.stringify(bodiesOf(context).gemini)).toContain('"thoughtSignature":"sig"');
    expect(JSON.stringify(toAiSdk(context, { model: "m" }))).toContain('"signature":"sig"');
    const other = { model: "another" };
    expect(JSON.stringify(bodiesOf(context, other))).not.toContain("sig");
    expect(JSON.stringify(toAiSdk(context, other))).not.toContain("sig");
  });

  test("a call of another model carries the sign that Gemini 3 wants", () => {
    const { gemini } = bodiesOf(contextOf(rich), { model: "gemini-3-pro" });
    const calls = gemini.contents.flatMap(({ parts }) => parts).filter((part) => part.functionCall);
    expect(calls.map(({ thoughtSignature }) => thoughtSignature)).toEqual([
      "skip_thought_signature_validator",
      undefined,
    ]);
  });

  test("tools are described in each API's words", () => {
    const parameters = { type: "object", properties: { path: { type: "string" } } };
    const tools = [{ name: "read", description: "Reads a file", parameters }];
    const { anthropic, responses, chat, gemini } = bodiesOf(contextOf(rich), {
      model: "m",
      tools,
      maxTokens: 99,
    });
    expect(anthropic).toMatchObject({
      max_tokens: 99,
      tools: [{ name: "read", input_schema: parameters }],
    });
    expect(responses).toMatchObject({
      max_output_tokens: 99,
      tools: [{ type: "function", parameters }],
    });
    expect(chat).toMatchObject({
      max_completion_tokens: 99,
      tools: [{ function: { parameters } }],
    });
    expect(gemini).toMatchObject({
      generationConfig: { maxOutputTokens: 99 },
      tools: [{ functionDeclarations: [{ name: "read", parametersJsonSchema: parameters }] }],
    });
  });

  test(`whatever was recorded, every body keeps the rules of its API (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.array(anyEvent(), { maxLength: 30 }), (bodies) => {
        expect(brokenRules(bodiesOf(contextOf(bodies)))).toEqual([]);
      }),
      { seed, numRuns: 500 },
    );
  });
});

function plain({ kind, text, id, name, input }: Atom): string {
  if (kind === "call") return `call ${id} ${name} ${JSON.stringify(input)}`;
  return kind === "result" ? `result ${id}: ${String(text).split("\n")[0]}` : `${kind}: ${text}`;
}

/** What stands for an image, or is no conversation, is said in other words by each API. */
function isConversation(told: string): boolean {
  return !/^(?:image|thinking|reasoning)|Attached to the results/.test(told);
}

function anyEvent(): fc.Arbitrary<EventBody> {
  const text = fc.oneof(fc.string({ maxLength: 20 }), fc.constant(""), fc.constant(" \n"));
  const content = fc.oneof(
    text,
    fc.array(
      fc.oneof(
        text.map((one) => ({ type: "text" as const, text: one })),
        fc.constant(image),
      ),
      { maxLength: 3 },
    ),
  );
  const call = fc.constantFrom("a", "b", "c:1", "x".repeat(80), "");
  const of = { message: fc.constantFrom("m1", "m2"), model: fc.constantFrom("m", "other") };
  return fc.oneof(
    fc.record({ type: fc.constant("system" as const), content }),
    fc.record({ type: fc.constant("user" as const), content }),
    fc.record({ type: fc.constant("assistant" as const), content, ...of }),
    fc.record({ type: fc.constant("thinking" as const), content: text, signature: text, ...of }),
    fc.record({
      type: fc.constant("tool_use" as const),
      call,
      name: text,
      input: fc.jsonValue(),
      ...of,
    }),
    fc.record({ type: fc.constant("tool_result" as const), call, content }),
    fc.record({ type: fc.constant("compaction" as const), summary: text }),
  ) as fc.Arbitrary<EventBody>;
}
