import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonBytes } from "../../src/base/json-bytes.ts";
import { limits } from "../../src/base/limits.ts";

const seed = 20261115;

function linesOf(values: readonly object[]): { readonly text: string; readonly pieces: number[] } {
  const made: Buffer[] = [];
  const lines = new JsonBytes((bytes) => made.push(Buffer.from(bytes)));
  for (const value of values) lines.line(value);
  lines.flush();
  return { text: Buffer.concat(made).toString("utf8"), pieces: made.map(({ length }) => length) };
}

function plain(values: readonly object[]): string {
  return Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join("")).toString();
}

/** Texts around every border: pieces, the buffer, halves of characters, what must be escaped. */
const unit = fc.oneof(
  fc.constantFrom(
    '"',
    "\\",
    "\n",
    "\t",
    "\u0000",
    "\u001f",
    "\u007f",
    "é",
    "\u2028",
    "日",
    "\ufffd",
  ),
  fc.constantFrom("🎉", "\ud83c", "\udf89", "\uffff", "abc ", "x"),
  fc.string({ unit: "binary", maxLength: 3 }),
);
const longText = fc
  .tuple(fc.array(unit, { minLength: 1, maxLength: 12 }), fc.integer({ min: 40, max: 9000 }))
  .map(([units, times]) => units.join("").repeat(times).slice(0, 300_000));
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    longText,
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: "binary", maxLength: 8 }), tie("any"), { maxKeys: 4 }),
  ),
})).any;

describe("JSON lines as bytes", () => {
  it(`are those the engine makes (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.array(fc.record({ a: value, b: value }), { maxLength: 6 }), (values) => {
        expect(linesOf(values).text).toBe(plain(values));
      }),
      { seed, numRuns: 300 },
    );
  });

  it("are the same where a text stands twice, near or far", () => {
    const text = 'said "twice"\n'.repeat(500);
    const values = Array.from({ length: 200 }, (_, at) => ({ at, text, again: text }));
    expect(linesOf(values).text).toBe(plain(values));
  });

  it("keep a key that names a prototype", () => {
    const record = JSON.parse(`{"__proto__":{"text":"${"x".repeat(9000)}"}}`) as object;
    expect(linesOf([record]).text).toBe(plain([record]));
  });

  it("are handed on in bounded pieces, however long a text is", () => {
    const { text, pieces } = linesOf([{ text: "\u0001".repeat(2_000_000) }]);
    expect(text.length).toBe(12_000_012);
    expect(Math.max(...pieces)).toBeLessThan(2 * limits.writeBytes);
  });
});
