import { expect, test } from "vitest";
import { eventText } from "../../src/catalog/event-text.ts";
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
