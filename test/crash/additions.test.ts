import { expect, test } from "vitest";
import { stormAdditions } from "./additions.mjs";

const seed = 20_261_118;

test(`killed anywhere, an addition is settled by the next change and can be undone exactly (seed ${seed})`, async () => {
  const totals = await stormAdditions({ rounds: 10, seed, jobs: 2 });
  expect(totals.problems, `seed ${seed}`).toEqual([]);
  expect(totals.rounds).toBe(10);
  expect(totals.kills).toBeGreaterThan(2);
}, 120_000);
