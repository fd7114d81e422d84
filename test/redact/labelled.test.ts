import { expect, test } from "vitest";
import { findSecrets } from "../../src/redact/find.ts";
import { maskText } from "../../src/redact/mask.ts";
import { figures, harmlessSamples, judged, secretSamples } from "./labelled/samples.mjs";

/** Other seeds make other secrets: `npm run secrets -- --seed 7`. */
const seeds = [1, 20261118, 424242];

test.each(seeds)("recall and precision on the labelled set are 0.98 or more (seed %i)", (seed) => {
  const secrets = (["first", "second"] as const).flatMap((part) => secretSamples(seed, { part }));
  const rows = judged(findSecrets, { secrets, ordinary: harmlessSamples(seed) });
  const all = figures(rows);
  expect(all.secrets).toBeGreaterThanOrEqual(400);
  expect(all.ordinary).toBeGreaterThanOrEqual(600);
  expect(all.recall, JSON.stringify(rows.flatMap(({ missed }) => missed))).toBeGreaterThanOrEqual(
    0.98,
  );
  const wrong = JSON.stringify(rows.flatMap(({ falseAlarms }) => falseAlarms));
  expect(all.precision, wrong).toBeGreaterThanOrEqual(0.98);
});

test.each(seeds)("no class of secrets is missed as a whole (seed %i)", (seed) => {
  for (const part of ["first", "second"] as const) {
    const rows = judged(findSecrets, { secrets: secretSamples(seed, { part }), ordinary: [] });
    for (const { kind, count, found, missed } of rows)
      expect(found / count, `${kind}: ${missed}`).toBeGreaterThanOrEqual(0.85);
  }
});

test("what was masked once stays as it is", () => {
  const key = Buffer.from("key");
  for (const part of ["first", "second"] as const) {
    for (const { text } of secretSamples(7, { part })) {
      const once = maskText(text, { key }).text;
      expect(maskText(once, { key }).text, text).toBe(once);
    }
  }
});

test("JSON stays JSON of the same form, whatever secret stands in it", () => {
  for (const part of ["first", "second"] as const) {
    for (const { text } of secretSamples(11, { part })) {
      const value = {
        a: [text, { b: JSON.stringify({ inner: text, n: 1 }) }],
        password: 8837462915,
      };
      const masked = JSON.parse(maskText(JSON.stringify(value)).text);
      expect(Object.keys(masked), text).toEqual(["a", "password"]);
      expect(Object.keys(JSON.parse(masked.a[1].b)), text).toEqual(["inner", "n"]);
      expect(masked.password).toMatch(/^\[secret:password:/);
    }
  }
});
