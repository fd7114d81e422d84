import fc from "fast-check";
import { expect, test } from "vitest";
import { isoOf } from "../../src/base/clock.ts";

const seed = 20_260_711;

test(`a time is written as Node writes it, in every year of four digits (seed ${seed})`, () => {
  const from = Date.parse("0001-01-01T00:00:00.000Z");
  const to = Date.parse("9999-12-31T23:59:59.999Z");
  const said = (ms: number): void => {
    expect(isoOf(ms)).toBe(new Date(ms).toISOString());
  };
  fc.assert(fc.property(fc.integer({ min: from, max: to }), said), { seed, numRuns: 5000 });
  for (const year of [1, 4, 100, 400, 1600, 1900, 1969, 1970, 2000, 2024, 2026, 2100, 9999]) {
    for (let day = 0; day < 366; day += 1) {
      const begin = Date.UTC(2000, 0, 1 + day);
      const ms = new Date(begin).setUTCFullYear(year);
      said(ms);
      said(ms - 1);
    }
  }
});
