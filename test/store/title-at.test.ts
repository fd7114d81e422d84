import fc from "fast-check";
import { expect, test } from "vitest";
import { oneLine } from "../../src/model/text.ts";
import { titleAt } from "../../src/store/title-at.ts";

const seed = 20261116;

const piece = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom(
    " ",
    "\n  ",
    "\t",
    "\r\n",
    "\u00a0",
    "\u2028",
    "\u3000",
    "é",
    "日本",
    "😀",
    '"',
    "\\",
    "/",
  ),
  fc.constantFrom("\u007f", "\u0085", "\ufeff", "\u0001", "\b\f", "word", "another "),
);
const said = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

test("a title made in one go is the one line of the whole text, or none is made", () => {
  let made = 0;
  fc.assert(
    fc.property(said, fc.integer({ min: 2, max: 60 }), (text, chars) => {
      const line = Buffer.from(JSON.stringify(text.toWellFormed()));
      const expected = oneLine(text.toWellFormed(), chars);
      const title = titleAt(line, { from: 1, to: line.length }, chars);
      if (title !== undefined) {
        made += 1;
        expect(title).toBe(expected);
      }
    }),
    { seed, numRuns: 3_000 },
  );
  expect(made).toBeGreaterThan(1_000);
});

test("a text that is cut off before it ends gives a title only where that is cut anyway", () => {
  fc.assert(
    fc.property(said, fc.nat(200), (text, length) => {
      const line = Buffer.from(JSON.stringify(text.toWellFormed()));
      const title = titleAt(line, { from: 1, to: 1 + (length % line.length) }, 20);
      if (title !== undefined) expect(title).toBe(oneLine(text.toWellFormed(), 20));
    }),
    { seed, numRuns: 2_000 },
  );
});

test("plain texts and those with other letters are made in one go", () => {
  const whole = (line: string, encoding: BufferEncoding = "utf8") => {
    const bytes = Buffer.from(line, encoding);
    return titleAt(bytes, { from: 1, to: bytes.length }, 200);
  };
  expect(whole('"  Fix the\\n  parser, s\'il te plaît…"')).toBe("Fix the parser, s'il te plaît…");
  expect(whole('"a\\u001b[0m"')).toBeUndefined();
  expect(whole('"plaît"', "latin1")).toBeUndefined();
});
