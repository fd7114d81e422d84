import fc from "fast-check";
import { expect, test } from "vitest";
import { hashBytes, hashText } from "../../src/base/hash.ts";

test("a text and its bytes have one hash, a safe integer that is not zero", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const key = hashText(text);
      expect(hashBytes(Buffer.from(text))).toBe(key);
      expect(Number.isSafeInteger(key)).toBe(true);
      expect(key).toBeGreaterThan(0);
    }),
    { numRuns: 500, seed: 20261120 },
  );
});

test("texts that differ in one place have different hashes", () => {
  const texts = new Set<string>(["", "a", "b", "aa"]);
  for (let at = 0; at < 200_000; at += 1) texts.add(`toolu_${at.toString(36)}`);
  expect(new Set([...texts].map(hashText)).size).toBe(texts.size);
});
