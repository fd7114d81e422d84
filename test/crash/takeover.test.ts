import { expect, test } from "vitest";
import { takeovers } from "./takeover.mjs";

test.each([
  [
    "that cannot examine each other, in pid namespaces of their own where the system allows it",
    undefined,
  ],
  ["that take each other for processes of other machines", false],
])(
  "writers %s take over from one that is stopped, and go on when it continues: nothing acknowledged is lost, no number is given twice",
  async (_which, namespaces) => {
    const seed = Date.now() % 1_000_000;
    const rounds = 20;
    const totals = await takeovers({ rounds, seed, namespaces });
    expect(totals.problems, `seed ${seed}`).toEqual([]);
    expect(totals, `seed ${seed}`).toMatchObject({ takeovers: rounds, lost: 0 });
    expect(totals.acknowledged).toBeGreaterThan(rounds);
  },
  180_000,
);
