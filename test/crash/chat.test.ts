import { expect, test } from "vitest";
import { chatKills } from "./chat.mjs";

test("a chat killed at random instants of a turn goes on with a history the API takes, and with what was shown", async () => {
  const seed = Date.now() % 1_000_000;
  const totals = await chatKills({ rounds: 6, seed });
  expect(totals.problems, `seed ${seed}`).toEqual([]);
  expect(totals.rounds).toBe(6);
}, 180_000);
