import { expect, test } from "vitest";
import { eventText, restText, wordText } from "../../src/catalog/index/event-text.ts";
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

test("of a long output every three characters in a row are in its ends or in the rest", () => {
  const edge = 4096;
  for (const length of [1, 2 * edge, 2 * edge + 1, 2 * edge + 2, 2 * edge + 5, 30_000]) {
    const text = Array.from({ length }, (_, at) => String.fromCharCode(0x100 + at)).join("");
    const said = eventText({ type: "tool_result", call: "a", content: text })!;
    const [words, rest] = [wordText(said), restText(said)];
    expect(rest === "").toBe(length <= 2 * edge);
    for (let at = 0; at + 3 <= length; at += 1) {
      const three = text.slice(at, at + 3);
      if (!words.includes(three)) expect(rest.includes(three)).toBe(true);
    }
  }
});
