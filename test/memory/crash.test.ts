import { expect, test } from "vitest";
import { crowd, killStorm } from "../crash/memory.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";

test("what was acknowledged before a kill -9 is there, and no process stays behind", async () => {
  const seed = Date.now() % 1_000_000;
  const { acknowledged, missing, left } = await killStorm({
    rounds: 8,
    seed,
    folder: temporaryFolder(),
  });
  expect({ missing, left }, `seed ${seed}`).toEqual({ missing: [], left: 0 });
  expect(acknowledged).toBeGreaterThan(0);
});

test("what eight processes store at once is all there", async () => {
  const { stored, missing } = await crowd({ processes: 8, each: 12, folder: temporaryFolder() });
  expect({ stored, missing }).toEqual({ stored: 96, missing: [] });
});
