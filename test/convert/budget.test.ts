import { describe, expect, test } from "vitest";
import { budgetFor, cutFor } from "../../src/convert/budget.ts";
import type { OutgoingMessage } from "../../src/model/outgoing.ts";

const at = "2026-11-15T10:00:00.000Z";
const long = "word ".repeat(200);
const user: OutgoingMessage = { role: "user", content: [{ type: "text", text: long }], at };
const assistant: OutgoingMessage = {
  role: "assistant",
  content: [{ type: "text", text: long }],
  at,
};

async function* stream(messages: readonly OutgoingMessage[]): AsyncGenerator<OutgoingMessage> {
  yield* messages;
}

async function tokensOf(messages: readonly OutgoingMessage[]): Promise<number> {
  return (await cutFor(stream([...messages, user]), 0)).tokens;
}

describe("a budget", () => {
  test("cuts nothing where all of it fits", async () => {
    const tokens = await tokensOf([assistant]);
    const whole = { from: 0, tokens, keptTokens: tokens };
    expect(await cutFor(stream([user, assistant]), 1_000_000)).toEqual(whole);
  });

  test("keeps the newest turns whole", async () => {
    const turns = [user, assistant, user, assistant, user, assistant];
    const budget = (await tokensOf([user, assistant, user])) + 5;
    expect(await cutFor(stream(turns), budget)).toMatchObject({ from: 2 });
    expect(await cutFor(stream(turns), budget / 2 + 5)).toMatchObject({ from: 4 });
  });

  test("keeps the newest steps where one turn alone is too long, and the last step at least", async () => {
    const turn = [user, assistant, assistant, assistant, assistant];
    const one = (await tokensOf([user])) / 2;
    expect(await cutFor(stream(turn), one * 2 + 5)).toMatchObject({ from: 3 });
    expect(await cutFor(stream(turn), 1)).toMatchObject({ from: 4 });
  });

  test("says what is kept, which is more than the budget where the last step alone is", async () => {
    const one = (await tokensOf([user])) / 2;
    const last = { from: 4, keptTokens: one };
    expect(await cutFor(stream([user, assistant, user, assistant, user]), 1)).toMatchObject(last);
    expect(await cutFor(stream([user]), 1)).toMatchObject({ from: 0, keptTokens: one });
  });

  test("is known for models whose window is", () => {
    expect(budgetFor("claude-sonnet-4-5")).toBe(140_000);
    expect(budgetFor("gpt-4.1-mini")).toBe(700_000);
    expect(budgetFor("somebody's model")).toBeUndefined();
    expect(budgetFor(undefined)).toBeUndefined();
  });
});
