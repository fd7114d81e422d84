import { expect, test } from "vitest";
import { fuzz } from "./fuzz.mjs";
import { storm } from "./storm.mjs";

// Small rounds of `npm run attack`, without what only some users may do.
const seed = Date.now() % 1_000_000;

test(`a storm of faults loses and doubles nothing that was acknowledged (seed ${seed})`, async () => {
  const { faults, acknowledged, problems } = await storm({
    faults: 60,
    seed,
    processes: 4,
    plain: true,
  });
  expect(problems).toEqual([]);
  expect(faults).toBe(60);
  expect(acknowledged).toBeGreaterThan(0);
});

test(`damaged sessions of every agent break, hang and change nothing (seed ${seed})`, async () => {
  const { faults, problems } = await fuzz({ rounds: 60, seed });
  expect(problems).toEqual([]);
  expect(faults).toBe(60);
});
