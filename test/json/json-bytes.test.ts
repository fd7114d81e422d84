import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { JsonBytes } from "../../src/json/json-bytes.ts";
import { wellFormed } from "../../src/model/text.ts";

const seed = 20_261_115;
const json = new JsonBytes({ loneSurrogates: "replaced", mostBytes: limits.lineBytes });
const exact = new JsonBytes({ loneSurrogates: "escaped", mostBytes: limits.lineBytes });

/** What is written at a place that shifts, so that words begin anywhere in a text. */
function written(value: unknown): string | undefined {
  const from = (json.length + 1) % 7;
  json.restart(from);
  return json.value(value) ? json.buffer.toString("utf8", from, json.length) : undefined;
}

function exactly(value: unknown): string {
  exact.restart();
  exact.value(value);
  return exact.buffer.toString("utf8", 0, exact.length);
}

test("any JSON value becomes the bytes JSON.stringify gives it", () => {
  const text = fc.string({ unit: "binary", maxLength: 200 });
  const value = fc.jsonValue({ maxDepth: 5, stringUnit: "binary" });
  fc.assert(
    fc.property(fc.oneof(value, text, fc.dictionary(text, value)), (given) => {
      expect(written(given)).toBe(JSON.stringify(wellFormed(given)));
      expect(exactly(given)).toBe(JSON.stringify(given));
    }),
    { seed, numRuns: 1_000 },
  );
});

test("texts with few, some and many escapes become the bytes JSON.stringify gives them", () => {
  const piece = fc.oneof(
    {
      weight: 20,
      arbitrary: fc.constantFrom("word ", "x", "日本", "é", "\u{1f600}", "0123456789"),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('"', "\\", "\n", "\u0000", "\u001f", "\r\n", "\ud800"),
    },
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 2_000, size: "max" }), (pieces) => {
      const text = pieces.join("");
      expect(written(text)).toBe(JSON.stringify(text.toWellFormed()));
      expect(exactly(text)).toBe(JSON.stringify(text));
    }),
    { seed, numRuns: 300 },
  );
});

test("every control character, quote and backslash is escaped at every place of a word", () => {
  for (let unit = 0; unit < 0x180; unit += 1) {
    for (let before = 0; before < 4; before += 1) {
      const character = String.fromCharCode(unit);
      for (const text of [character, `${"x".repeat(before)}${character}${"y".repeat(100)}`]) {
        expect(written(text)).toBe(JSON.stringify(text));
      }
    }
  }
});

test("what JSON has nothing for is left out of objects and null in lists", () => {
  const odd = {
    nothing: undefined,
    call: () => 1,
    list: [undefined, Number.NaN, -0, Number.POSITIVE_INFINITY, () => 1],
    date: new Date(0),
    boxed: Object("x"),
    set: new Set([1]),
    bytes: new Uint8Array([1, 2]),
    own: { toJSON: () => "mine" },
    bare: Object.assign(Object.create(null), { a: 1 }),
  };
  expect(written(odd)).toBe(JSON.stringify(odd));
  expect(written(undefined)).toBeUndefined();
});

test("a key that names a prototype is kept, and a long text of controls takes its room", () => {
  const record: unknown = JSON.parse(`{"__proto__":{"text":"${"x".repeat(9000)}"}}`);
  expect(exactly(record)).toBe(JSON.stringify(record));
  for (const unit of ["\u0001", '"', `${"x".repeat(60)}\u0001`]) {
    const text = unit.repeat(300_000);
    expect(exactly(text)).toBe(JSON.stringify(text));
  }
});

test("a text said twice is written twice, near or far, and not after it was forgotten", () => {
  const text = 'said "twice"\n'.repeat(500);
  const twice = Array.from({ length: 50 }, (_, at) => ({
    at,
    text,
    again: text,
    other: `${at}${text}`,
  }));
  expect(exactly(twice)).toBe(JSON.stringify(twice));
  expect(exactly(`${"x".repeat(5_000)}`)).toBe(JSON.stringify("x".repeat(5_000)));
  expect(exactly([text, text])).toBe(JSON.stringify([text, text]));
});

test("lone surrogates become U+FFFD wherever they stand", () => {
  expect(JSON.parse(written({ "\ud800": ["\udfff", Object("\ud800a")] })!)).toEqual({
    "\ufffd": ["\ufffd", "\ufffda"],
  });
});

test("deep nesting is written whole, and a cycle throws instead of running on", () => {
  let deep: unknown = "end\ud800";
  for (let level = 0; level < 1_000; level += 1) deep = [deep];
  expect(written(deep)).toBe(JSON.stringify(deep).replace("\\ud800", "\ufffd"));
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  expect(() => written(cycle)).toThrow(TypeError);
  expect(() => written(1n)).toThrow(TypeError);
});

test("an event over the limit of a line is refused before it fills the memory", () => {
  const text = "x".repeat(1024 * 1024);
  const list = Array.from({ length: (limits.lineBytes / text.length) * 4 }, () => text);
  expect(() => written(list)).toThrow(/limit of one line/);
});
