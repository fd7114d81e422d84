import fc from "fast-check";
import { expect, test } from "vitest";
import { oneLine } from "../../src/model/text.ts";

const seed = 20_260_711;
const pieces = fc.constantFrom(
  ...[" ", "  ", "\n", "\t", "\r\n", "\u0000", "\u0085", "\u00a0", "\u2028", "\u3000", "\ufeff"],
  ...["a", "word", "é", "日本", "😀", "\ud83d", "\ude00", "."],
);
const texts = fc.array(pieces, { maxLength: 80 }).map((list) => list.join(""));

/** The rule as it is said: gaps become one space, the ends are bare, what is too long is cut. */
function plainly(text: string, chars: number): string {
  const flat = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  if (flat.length <= chars) return flat.toWellFormed();
  return `${flat
    .slice(0, chars - 1)
    .toWellFormed()
    .trimEnd()}…`;
}

test(`a text becomes one line, cut where it is too long (seed ${seed})`, () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 20, max: 60 }), (text, chars) => {
      fc.pre(text.length <= chars * 8);
      expect(oneLine(text, chars)).toBe(plainly(text, chars));
    }),
    { seed, numRuns: 2000 },
  );
});

test("a text that is nearly all blanks is not searched to its end", () => {
  expect(oneLine(`a${" ".repeat(1_000_000)}b`, 10)).toBe("a");
  expect(oneLine(" ".repeat(1_000_000), 10)).toBe("");
});

test("every character that is a blank or a control is a gap, and no other", () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0xffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCharCode(code);
    const isGap = /[\s\u0000-\u001f\u007f-\u009f]/.test(character);
    if (oneLine(`a${character}b`, 10) !== (isGap ? "a b" : `a${character}b`)) {
      wrong.push(code.toString(16));
    }
  }
  expect(wrong).toEqual([]);
});
