import { describe, expect, test } from "vitest";
import { tools as claudeTools } from "../../src/agents/claude-code/tools.ts";
import type { Holds } from "../../src/agents/contract.ts";
import { tools as geminiTools } from "../../src/agents/gemini-cli/tools.ts";
import { type NormaliseOptions, Normaliser, opening } from "../../src/convert/normalise.ts";
import { Losses } from "../../src/convert/report.ts";
import { everything } from "../../src/convert/verify.ts";
import type { EventBody } from "../../src/model/event.ts";
import { missingResult } from "../../src/model/missing-result.ts";
import type { OutgoingMessage } from "../../src/model/outgoing.ts";
import { pixel } from "./rich.ts";

const at = "2026-11-15T10:00:00.000Z";

function normalised(bodies: readonly EventBody[], options: Partial<NormaliseOptions> = {}) {
  const losses = new Losses();
  const normaliser = new Normaliser({
    holds: everything,
    sameAgent: false,
    from: undefined,
    to: undefined,
    mappings: [],
    ...options,
    losses,
  });
  const messages: OutgoingMessage[] = [];
  for (const body of bodies) messages.push(...normaliser.next({ at, body }));
  messages.push(...normaliser.end());
  return { messages, losses: losses.list() };
}

/** Messages in short: role, then what each part is. */
function shape(messages: readonly OutgoingMessage[]): readonly string[] {
  return messages.map(shapeOf);
}

function shapeOf(message: OutgoingMessage): string {
  switch (message.role) {
    case "summary":
      return `summary ${message.text}`;
    case "user":
      return `user ${message.content.map(words).join("|")}`;
    case "assistant":
      return `assistant ${message.content
        .map((part) => (part.type === "tool_use" ? `${part.name}#${part.call}` : part.text))
        .join("|")}`;
    case "results":
      return `results ${message.results
        .map((one) => `${one.call}=${one.content.map(words).join("+")}`)
        .join("|")}`;
  }
}

function words(block: { readonly type: string; readonly text?: string }): string {
  return block.text ?? block.type;
}

const user = (content: string): EventBody => ({ type: "user", content });
const assistant = (content: string, message?: string): EventBody => ({
  type: "assistant",
  content,
  ...(message !== undefined && { message }),
});
const call = (id: string, message?: string): EventBody => ({
  type: "tool_use",
  call: id,
  name: "T",
  input: {},
  ...(message !== undefined && { message }),
});
const result = (id: string, content = `r${id}`): EventBody => ({
  type: "tool_result",
  call: id,
  content,
});
const image = {
  type: "image",
  mediaType: "image/png",
  source: { kind: "base64", data: pixel },
} as const;
const thought = { type: "thinking", content: "hm", signature: "sig" } as const;
const holding = (more: Partial<Holds>): Holds => ({ ...everything, ...more });

describe("turns", () => {
  test("a conversation that began with the model gets a user turn first, and that is told", () => {
    const { messages, losses } = normalised([assistant("hello"), user("hi")]);
    expect(shape(messages)).toEqual([`user ${opening}`, "assistant hello", "user hi"]);
    expect(losses).toMatchObject([{ field: "opening", effect: "rewritten", count: 1 }]);
  });

  test("turns that the session itself had compacted are reported: a copy has only their summary", () => {
    const { losses } = normalised([{ type: "compaction", summary: "s" }, user("a")]);
    expect(losses).toMatchObject([{ field: "compacted turns", effect: "summarised", count: 1 }]);
    const unsaid = normalised([{ type: "compaction", summary: "" }, user("a")]);
    expect(unsaid.losses).toMatchObject([{ field: "compacted turns", effect: "dropped" }]);
    // Codex keeps prompts: they may stand before the compaction or behind it.
    expect(unsaid.losses[0]!.reason).toContain("what the source still gives its model");
  });

  test("a summary at the beginning stays one, and a later one is said by the user", () => {
    const compaction = (summary: string): EventBody => ({ type: "compaction", summary });
    expect(shape(normalised([compaction("s"), user("a")]).messages)).toEqual([
      "summary s",
      "user a",
    ]);
    expect(shape(normalised([user("a"), compaction("s")]).messages)).toEqual(["user a", "user s"]);
  });

  test("what agents, hooks and programs put in is dropped and counted", () => {
    const { messages, losses } = normalised([
      { type: "system", content: "rules" },
      { type: "user", content: "reminder", injected: true },
      { type: "hook", event: "Stop", content: "context" },
      user("a"),
      { type: "assistant", content: "API error", synthetic: true },
    ]);
    expect(shape(messages)).toEqual(["user a"]);
    expect(losses).toMatchObject([
      { field: "injected context", count: 3 },
      { field: "filler", count: 1 },
    ]);
  });

  test("text of blanks alone is nothing: APIs refuse it", () => {
    expect(shape(normalised([user("a"), assistant(" \n"), user("\t")]).messages)).toEqual([
      "user a",
    ]);
  });

  test("a time that is none does not replace the one before", () => {
    const normaliser = new Normaliser({
      holds: everything,
      sameAgent: false,
      from: undefined,
      to: undefined,
      mappings: [],
      losses: new Losses(),
      beganAt: at,
    });
    const messages = [...normaliser.next({ at: "yesterday", body: user("a") })];
    expect(messages[0]?.at).toBe(at);
  });
});

describe("calls", () => {
  test("every call is answered right after its message, in the order of the calls", () => {
    const { messages } = normalised([
      user("go"),
      call("a", "m"),
      call("b", "m"),
      result("b"),
      result("a"),
      assistant("done"),
    ]);
    expect(shape(messages)).toEqual([
      "user go",
      "assistant T#a|T#b",
      "results a=ra|b=rb",
      "assistant done",
    ]);
  });

  test("calls of one message stay together although each result stands behind its call", () => {
    const { messages } = normalised([
      user("go"),
      call("a", "m"),
      result("a"),
      call("b", "m"),
      result("b"),
    ]);
    expect(shape(messages)).toEqual(["user go", "assistant T#a|T#b", "results a=ra|b=rb"]);
  });

  test("without message ids a result ends the message", () => {
    const { messages } = normalised([user("go"), call("a"), result("a"), call("b"), result("b")]);
    expect(shape(messages)).toEqual([
      "user go",
      "assistant T#a",
      "results a=ra",
      "assistant T#b",
      "results b=rb",
    ]);
  });

  test("without message ids what is said behind a call comes behind its answer", () => {
    const bodies: readonly EventBody[] = [
      { type: "user", content: "Go" },
      { type: "assistant", content: "Looking." },
      { type: "tool_use", call: "c1", name: "T", input: {} },
      { type: "assistant", content: "Found." },
    ];
    expect(shape(normalised(bodies).messages)).toEqual([
      "user Go",
      "assistant Looking.|T#c1",
      `results c1=${missingResult}`,
      "assistant Found.",
    ]);
  });

  test("a call without a result gets one that says so", () => {
    const { messages, losses } = normalised([user("go"), call("a"), user("stop")]);
    expect(shape(messages)).toEqual([
      "user go",
      "assistant T#a",
      `results a=${missingResult}`,
      "user stop",
    ]);
    expect(losses).toMatchObject([{ field: "tool call", effect: "rewritten", count: 1 }]);
  });

  test("what the user said while a tool ran stands behind the answer, and nothing is lost", () => {
    const { messages, losses } = normalised([
      user("go"),
      call("a"),
      user("hurry"),
      result("a"),
      assistant("done"),
    ]);
    expect(shape(messages)).toEqual([
      "user go",
      "assistant T#a",
      "results a=ra",
      "user hurry",
      "assistant done",
    ]);
    expect(losses).toEqual([]);
  });

  test("an answer nobody asked for is kept as text", () => {
    const { messages, losses } = normalised([user("go"), result("x", "orphan")]);
    expect(shape(messages)).toEqual(["user go", "user orphan"]);
    expect(losses).toMatchObject([{ field: "tool result", effect: "rewritten" }]);
  });

  test("a second answer to one call is kept as text", () => {
    const { messages } = normalised([user("go"), call("a"), result("a", "1"), result("a", "2")]);
    expect(shape(messages)).toEqual(["user go", "assistant T#a", "results a=1", "user 2"]);
  });

  test("ids that an API refuses are replaced, the same way every time", () => {
    const bodies = [user("go"), call("a/b:c"), result("a/b:c", "ok")];
    const once = shape(normalised(bodies).messages);
    expect(once).toEqual(shape(normalised(bodies).messages));
    expect(once[1]).toMatch(/^assistant T#call_[0-9a-f]{24}$/);
    expect(once[2]).toBe(`results ${once[1]!.slice("assistant T#".length)}=ok`);
  });

  test("an id that was used before gets another, and each answer its own call", () => {
    const { messages } = normalised([
      user("go"),
      call("a"),
      result("a", "1"),
      call("a"),
      result("a", "2"),
    ]);
    const [, first, one, second, two] = shape(messages);
    expect([first, one]).toEqual(["assistant T#a", "results a=1"]);
    const again = second!.slice("assistant T#".length);
    expect(again).not.toBe("a");
    expect(two).toBe(`results ${again}=2`);
  });

  test("input that is no object becomes one", () => {
    const { messages } = normalised([
      user("go"),
      { type: "tool_use", call: "a", name: "T", input: "x" },
    ]);
    expect(messages[1]).toMatchObject({ content: [{ input: { input: "x" } }] });
  });

  test("names and arguments are those of the target where it has the same tool", () => {
    const spoken: EventBody = {
      type: "tool_use",
      call: "a",
      name: "Read",
      input: { file_path: "/x", limit: 3 },
    };
    const { messages } = normalised([user("go"), spoken], { from: claudeTools, to: geminiTools });
    expect(messages[1]).toMatchObject({
      content: [{ name: "read_file", input: { file_path: "/x", limit: 3 } }],
    });
  });
});

describe("paths", () => {
  const mappings = [{ from: "/old", to: "/new" }];
  const mapped = (input: unknown) => {
    const body: EventBody = { type: "tool_use", call: "a", name: "T", input };
    const message = normalised([user("go"), body], { mappings }).messages[1];
    return (
      message?.role === "assistant" &&
      message.content[0]?.type === "tool_use" &&
      message.content[0].input
    );
  };

  test("arguments that are paths below a mapped folder are moved, however deep", () => {
    expect(mapped({ path: "/old/a", list: [{ at: "/old" }] })).toEqual({
      path: "/new/a",
      list: [{ at: "/new" }],
    });
  });

  test("neighbours, mentions and contents stay as they were", () => {
    const input = { a: "/older/x", b: "see /old/a", c: "/old/a\nis a file", d: 1 };
    expect(mapped(input)).toEqual(input);
  });
});

describe("what a target does not hold", () => {
  test("thinking is dropped and counted where the target has no place for it", () => {
    const { messages, losses } = normalised([user("a"), thought, assistant("b")], {
      holds: holding({ thinking: "never" }),
      sameAgent: true,
    });
    expect(shape(messages)).toEqual(["user a", "assistant b"]);
    expect(losses).toMatchObject([{ field: "thinking", effect: "dropped", count: 1 }]);
  });

  test("foreign thinking is never written where only signed thinking counts", () => {
    const { messages } = normalised([user("a"), thought, assistant("b")], {
      holds: holding({ thinking: "same-model" }),
    });
    expect(shape(messages)).toEqual(["user a", "assistant b"]);
  });

  test.each([undefined, ""])(
    "nor is thinking of the same agent with the signature %j",
    (signature) => {
      const unsigned: EventBody = {
        type: "thinking",
        content: "hm",
        ...(signature !== undefined && { signature }),
      };
      const { messages, losses } = normalised([user("a"), unsigned, assistant("b")], {
        holds: holding({ thinking: "same-model" }),
        sameAgent: true,
      });
      expect(shape(messages)).toEqual(["user a", "assistant b"]);
      expect(losses).toMatchObject([{ field: "thinking", effect: "dropped" }]);
    },
  );

  test("signed thinking goes back to the agent it came from", () => {
    const { messages, losses } = normalised([user("a"), thought, assistant("b")], {
      holds: holding({ thinking: "same-model" }),
      sameAgent: true,
    });
    expect(messages[1]).toMatchObject({
      content: [{ type: "thinking", text: "hm", signature: "sig" }, { text: "b" }],
    });
    expect(losses).toEqual([]);
  });

  test("images of kinds it does not take are dropped and counted, others stay", () => {
    const tiff = { ...image, mediaType: "image/tiff" };
    const { messages, losses } = normalised([{ type: "user", content: [image, tiff] }], {
      holds: holding({ images: ["image/png"] }),
    });
    expect(shape(messages)).toEqual(["user image"]);
    expect(losses).toMatchObject([{ field: "image", effect: "dropped", count: 1 }]);
  });

  test("images in results and files are dropped and counted", () => {
    const file = { type: "file", name: "a.pdf", source: { kind: "base64", data: "AA==" } } as const;
    const { messages, losses } = normalised(
      [
        user("a"),
        call("c"),
        { type: "tool_result", call: "c", content: [{ type: "text", text: "t" }, image, file] },
      ],
      { holds: holding({ resultImages: false, files: false }) },
    );
    expect(shape(messages).at(-1)).toBe("results c=t");
    expect(losses.map(({ field, effect }) => `${field} ${effect}`)).toEqual([
      "file dropped",
      "image dropped",
    ]);
  });

  test("an image a model made and a block nobody else understands are dropped and counted", () => {
    const opaque = { type: "opaque", from: "x", value: {} } as const;
    const { messages, losses } = normalised([
      user("a"),
      { type: "assistant", content: [image, opaque] },
    ]);
    expect(shape(messages)).toEqual(["user a"]);
    expect(losses.map(({ field }) => field)).toEqual(["foreign block", "image"]);
  });
});
