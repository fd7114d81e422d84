import fc from "fast-check";
import { expect, test } from "vitest";
import { stringEnd } from "../../src/json/string-end.ts";

const texts = fc.string({ unit: fc.constantFrom('"', "\\", "a", "\n", "é", "\u0001", "😀") });

test("the end of any string is found, in text as in bytes", () => {
  fc.assert(
    fc.property(texts, texts, (said, behind) => {
      const json = JSON.stringify(said);
      const line = `${json}:${JSON.stringify(behind)}`;
      expect(stringEnd(line, 1)).toBe(json.length - 1);
      expect(stringEnd(Buffer.from(line), 1)).toBe(Buffer.byteLength(json) - 1);
    }),
    { numRuns: 500, seed: 20261118 },
  );
});

test("a string that is cut anywhere goes on where the first part said", () => {
  fc.assert(
    fc.property(texts, fc.nat(), (said, at) => {
      const bytes = Buffer.from(JSON.stringify(said));
      const cut = 1 + (at % (bytes.length - 1));
      const next = stringEnd(bytes, 1, cut);
      expect(next).toBeGreaterThanOrEqual(cut);
      expect(stringEnd(bytes, next)).toBe(bytes.length - 1);
    }),
    { numRuns: 500, seed: 20261119 },
  );
});
