import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeThree } from "../../../src/catalog/diff/merge-three.ts";

const seed = 20_261_118;
const line = fc.constantFrom("a", "b", "c", "", "  d", "e\r");
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
  .map(([lines, isEnded]) => `${lines.join("\n")}${isEnded && lines.length > 0 ? "\n" : ""}`);
const names = ["ours", "theirs"] as const;

test(`what one side alone changed is what comes of it, to the byte (seed ${seed})`, () => {
  fc.assert(
    fc.property(text, text, (base, other) => {
      const merged = { text: other, conflicts: 0 };
      expect(mergeThree(base, [other, base], names)).toEqual(merged);
      expect(mergeThree(base, [base, other], names)).toEqual(merged);
      expect(mergeThree(base, [other, other], names)).toEqual(merged);
    }),
    { seed, numRuns: 2_000 },
  );
});

test(`sides that change different places are both there, whichever comes first (seed ${seed})`, () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), fc.array(line, { maxLength: 6 }), (one, two) => {
      const fixed = ["1", "2", "3", "4", "5"];
      const base = `${["x", ...fixed, "y"].join("\n")}\n`;
      const ours = `${[...one, ...fixed, "y"].join("\n")}\n`;
      const theirs = `${["x", ...fixed, ...two].join("\n")}\n`;
      const both = { text: `${[...one, ...fixed, ...two].join("\n")}\n`, conflicts: 0 };
      expect(mergeThree(base, [ours, theirs], names)).toEqual(both);
      expect(mergeThree(base, [theirs, ours], names)).toEqual(both);
    }),
    { seed, numRuns: 1_000 },
  );
});

test("what both changed in different ways stands between marks, and all else is merged", () => {
  const merged = mergeThree(
    "1\n2\n3\n4\n5\n",
    ["1\ntwo\n3\n4\nfive\n", "1\nTWO\n3\n4\n5\n"],
    names,
  );
  expect(merged.conflicts).toBe(1);
  expect(merged.text).toBe("1\n<<<<<<< ours\ntwo\n=======\nTWO\n>>>>>>> theirs\n3\n4\nfive\n");
});
