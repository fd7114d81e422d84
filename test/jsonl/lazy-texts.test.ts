import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { limits } from "../../src/base/limits.ts";
import { JsonBytes } from "../../src/json/json-bytes.ts";
import { JsonText, textAt } from "../../src/json/json-text.ts";
import { parseLazily } from "../../src/jsonl/lazy-texts.ts";
import { parseLine } from "../../src/jsonl/parse-line.ts";

const seed = 20_261_116;
const long = 'It says "é 日本 \u{1f389}"\n\tand \\ more, \u001b[0m too. '.repeat(60);

/** A line at some place of a buffer whose length is no whole number of words. */
function lineOf(json: string, before = 3): Buffer {
  return Buffer.from(`${"#".repeat(before)}${json}`).subarray(before);
}

function written(value: unknown): string {
  const bytes = new JsonBytes({ loneSurrogates: "escaped", mostBytes: 1e9 });
  bytes.value(value);
  return bytes.buffer.toString("utf8", 0, bytes.length);
}

test("a line is what JSON.parse makes of it, wherever it lies, and its long texts are passed on byte for byte", () => {
  const piece = fc.constantFrom(
    "word ",
    '"',
    "\\",
    "\n",
    "\u0000",
    "\u001b",
    "é",
    "日",
    "#",
    "]",
    "/",
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((parts) => parts.join("")),
    fc.array(piece, { minLength: 400, maxLength: 900, size: "max" }).map((parts) => parts.join("")),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 3 }, text, fc.integer(), fc.constant(null), tie("list"), tie("map")),
    list: fc.array(tie("any"), { maxLength: 4 }),
    map: fc.dictionary(fc.oneof(text, fc.constantFrom("a", "__proto__", "7")), tie("any"), {
      maxKeys: 4,
    }),
  })).map;
  let found = 0;
  fc.assert(
    fc.property(value, fc.nat(7), (given, before) => {
      const json = JSON.stringify(given);
      const lazy = parseLazily(lineOf(json, before));
      if (lazy === undefined) return;
      found += 1;
      expect(written(lazy)).toBe(JSON.stringify(JSON.parse(json)));
      expect(JSON.stringify(lazy)).toBe(JSON.stringify(JSON.parse(json)));
    }),
    { seed, numRuns: 1_000 },
  );
  expect(found).toBeGreaterThan(100);
});

test("long texts stay JSON, short ones and keys do not", () => {
  const record = { type: "text", text: long, [long]: [long, "short"] };
  const lazy = parseLazily(lineOf(JSON.stringify(record)))!;
  expect(textAt(lazy, "text")).toBeInstanceOf(JsonText);
  expect(textAt(lazy, "type")).toBe("text");
  expect(lazy).toEqual(record);
});

test("a text is left to JSON.parse where another would write it otherwise", () => {
  const odd = ["\\/", "\\u00e9", "\\u001B", "\\u000a", "\\ud83d\\ude00", "\\ud800"];
  for (const escaped of odd) {
    const body = `${JSON.stringify(long).slice(0, -1)}${escaped}"`;
    const lazy = parseLazily(
      lineOf(`{"odd":${body},"usual":${JSON.stringify(long)}}`),
    ) as JsonObject;
    expect(typeof textAt(lazy, "odd")).toBe("string");
    expect(lazy).toEqual({ odd: JSON.parse(body), usual: long });
  }
});

test("what is no sound line is left to those who take it apart", () => {
  const json = JSON.stringify({ text: long });
  const bad = [
    json.slice(0, -2),
    json.slice(0, -1),
    `${json}${json}`,
    json.replace("and", "and\u0000"),
    json.replace("and", "and\t"),
    json.replace("and", "\\x"),
    `[${json}]`,
    `{"a":1,}${" ".repeat(limits.lazyTextBytes)}`,
  ];
  for (const line of bad) expect(parseLazily(lineOf(line))).toBeUndefined();
  const halved = Buffer.from(json);
  halved[json.indexOf("and")] = 0xc3;
  expect(parseLazily(halved)).toBeUndefined();
  expect(parseLine(halved, undefined, { lazyTexts: true }).kind).toBe("bad_utf8");
  const torn = lineOf(json.slice(0, -1));
  expect(parseLine(torn, undefined, { lazyTexts: true })).toEqual(parseLine(torn));
});

test("a line nested deeper than anybody writes is parsed as ever", () => {
  const deep = `${'{"a":'.repeat(limits.depth + 3)}${JSON.stringify(long)}${"}".repeat(limits.depth + 3)}`;
  expect(parseLazily(lineOf(deep))).toBeUndefined();
  expect(parseLine(lineOf(deep), undefined, { lazyTexts: true })).toEqual(parseLine(lineOf(deep)));
});
