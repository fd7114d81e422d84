import { expect, test } from "vitest";
import { eventText, wordText } from "../../src/catalog/index/event-text.ts";
import { injectedText } from "../../src/model/injected.ts";

test("what a hook of ours put in front of a model is not searched", () => {
  const context = injectedText("The ledger says: use the other port.");
  expect(eventText({ type: "hook", event: "UserPromptSubmit", content: context })).toBeUndefined();
  const prompt = eventText({ type: "user", content: `${context}\nWhich port?` });
  expect(prompt).toEqual({ kind: "user", text: "Which port?" });
});

test("a text is searched to its end though it holds a NUL", () => {
  expect(eventText({ type: "assistant", content: "before\0after" })?.text).toBe("before after");
});

test("of a long output both ends are words, and of a short one all of it", () => {
  const edge = 2048;
  const wordsOf = (text: string): string =>
    wordText(eventText({ type: "tool_result", call: "a", content: text })!);
  const short = "x".repeat(2 * edge);
  expect(wordsOf(short)).toBe(short);
  const [first, last] = ["a".repeat(edge), "z".repeat(edge)];
  expect(wordsOf(`${first}middle${last}`)).toBe(`${first}\n${last}`);
});
