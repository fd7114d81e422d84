import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { limits } from "../../src/base/limits.ts";
import { parseLine } from "../../src/jsonl/parse-line.ts";
import { type Salvaged, salvage } from "../../src/jsonl/salvage.ts";

const isRecord = (value: JsonObject): boolean =>
  typeof value["type"] === "string" && typeof value["id"] === "number";

/** What a line is taken apart into, each record found again where it is said to stand. */
function salvaged(line: string): Omit<Salvaged, "places"> {
  const bytes = Buffer.from(line);
  const { places = [], ...rest } = salvage(bytes, isRecord);
  const again = places.map(({ start, end }) => JSON.parse(bytes.toString("utf8", start, end)));
  expect(again).toEqual(rest.records);
  return rest;
}

const record = (id: number, rest: JsonObject = {}): JsonObject => ({
  type: "message",
  id,
  ...rest,
});

/** A record with everything that could be taken for the beginning of another. */
const rich = record(1, {
  text: 'a "quoted" {"type":"x"} \\ back \u2028 é \ud83d\ude00 }{ [ ] { "a": 1 }',
  list: [{ type: "text", text: "inner" }, 1, -2.5e3, true, null, [], {}],
  nested: { deep: { type: "toolCall", arguments: { path: "/a" } } },
});

test("a sound line is one record without damage", () => {
  expect(parseLine(Buffer.from(JSON.stringify(rich)))).toEqual({ records: [rich] });
});

test("both records of a line with a lost newline are read", () => {
  const line = JSON.stringify(rich) + JSON.stringify(record(2));
  expect(parseLine(Buffer.from(line), isRecord)).toMatchObject({
    records: [rich, record(2)],
    kind: "spliced",
  });
});

test("the record after a torn one is read wherever the tear is, and nothing else", () => {
  const torn = JSON.stringify(rich);
  const next = record(2, { text: "survives", list: [{ type: "text" }] });
  for (let at = 1; at < torn.length; at += 1) {
    const { records, kind } = salvaged(torn.slice(0, at) + JSON.stringify(next));
    expect({ at, records, kind }).toEqual({ at, records: [next], kind: "spliced" });
  }
});

test("two torn records in one line do not cost the whole ones around them", () => {
  const [first, second, third] = [record(1, { a: [1] }), rich, record(3, { b: { c: "d" } })];
  const half = JSON.stringify(rich);
  for (let at = 1; at < half.length; at += 7) {
    const line =
      JSON.stringify(first) +
      half.slice(0, at) +
      JSON.stringify(second) +
      half.slice(0, half.length - at) +
      JSON.stringify(third);
    expect({ at, records: salvaged(line).records }).toEqual({
      at,
      records: [first, second, third],
    });
  }
});

test("a record after a run of NULs is read, wherever the run begins", () => {
  const torn = JSON.stringify(rich);
  for (let at = 0; at < torn.length; at += 3) {
    const line = `${torn.slice(0, at)}${"\0".repeat(512)}${JSON.stringify(record(2))}`;
    expect({ at, ...parseLine(Buffer.from(line), isRecord) }).toMatchObject({
      at,
      records: [record(2)],
      kind: "nul_run",
    });
  }
});

test("what stands after a run of NULs inside a record is not taken for records", () => {
  const text = JSON.stringify(rich);
  for (let at = 1; at < text.length - 8; at += 1) {
    const line = `${text.slice(0, at)}${"\0".repeat(8)}${text.slice(at + 8)}`;
    expect({ at, ...salvaged(line) }).toEqual({ at, records: [], kind: "nul_run" });
  }
});

test("objects inside a torn record stay lost when they are not accepted", () => {
  const text = JSON.stringify(rich);
  for (let at = 1; at < text.length; at += 1) {
    expect({ at, ...salvaged(text.slice(0, at)) }).toEqual({
      at,
      records: [],
      kind: "bad_json",
    });
  }
});

test("objects inside a whole one are never records", () => {
  const line = `${JSON.stringify({ wrapper: record(7) })}${JSON.stringify(record(2))}`;
  expect(salvaged(line).records).toEqual([record(2)]);
});

test("JSON quoted in a torn text is never taken for a record", () => {
  const quoting = JSON.stringify(record(1, { text: JSON.stringify(record(9)) }));
  for (let at = 1; at < quoting.length; at += 1) {
    expect({ at, records: salvaged(quoting.slice(0, at)).records }).toEqual({
      at,
      records: [],
    });
  }
});

test("a BOM, a carriage return and U+2028 are no damage", () => {
  const bytes = Buffer.concat([
    Buffer.from([0xef, 0xbb, 0xbf]),
    Buffer.from(`${JSON.stringify(rich)}\r`),
  ]);
  expect(parseLine(bytes)).toEqual({ records: [rich] });
});

test("bytes that are not UTF-8 are told, the record is read", () => {
  const bytes = Buffer.from('{"type":"message","id":1,"text":"a?b"}');
  bytes[bytes.indexOf(0x3f)] = 0xff;
  expect(parseLine(bytes)).toEqual({
    records: [record(1, { text: "a\ufffdb" })],
    kind: "bad_utf8",
  });
});

test("a replacement character that was written as such is no damage", () => {
  expect(parseLine(Buffer.from('{"text":"\ufffd"}')).kind).toBeUndefined();
});

test("a lone surrogate escape is read as it is", () => {
  const { records, kind } = parseLine(Buffer.from('{"text":"\\ud800 end"}'));
  expect([records, kind]).toEqual([[{ text: "\ud800 end" }], undefined]);
});

test("a value that is not an object is a bad record, not a throw", () => {
  for (const text of ["null", "[]", '"text"', "7", "true"]) {
    expect(parseLine(Buffer.from(text))).toEqual({ records: [], kind: "bad_record" });
  }
});

test("a key named __proto__ changes nothing", () => {
  const { records } = parseLine(Buffer.from('{"__proto__":{"polluted":true}}{"id":1}'));
  expect(records).toHaveLength(2);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

test("hostile lines take time in proportion to their length", () => {
  const hostile = [
    "{",
    '{"',
    '{"a":',
    '{"a":[',
    "{}",
    '{"a":1}',
    "[",
    '{"a":{}',
    '{"a":"\\',
    "{ ",
    '{"a":{"b":1},',
    "{\0",
  ];
  for (const piece of hostile) {
    const text = piece.repeat(((piece === "{" ? 10 : 2) * 1024 * 1024) / piece.length);
    const started = process.cpuUsage();
    const { records } = salvaged(text);
    const tookMs = process.cpuUsage(started).user / 1000;
    expect({ piece, quick: tookMs < 8000 }).toEqual({ piece, quick: true });
    expect(records).toEqual([]);
  }
});

test("a line gives up a bounded number of records", () => {
  const { records } = salvage(Buffer.from("{}".repeat(limits.salvagedRecords + 10)));
  expect(records).toHaveLength(limits.salvagedRecords);
});

test("records glued in any way are all found", () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(json, fc.nat(), fc.boolean()), { minLength: 2, maxLength: 6 }),
      (parts) => {
        let line = "";
        const whole: unknown[] = [];
        parts.forEach(([value, at, torn], index) => {
          const text = JSON.stringify(record(index, { value }));
          if (torn && index < parts.length - 1) line += text.slice(0, 1 + (at % (text.length - 1)));
          else {
            line += text;
            whole.push(JSON.parse(text));
          }
        });
        const { records } = salvaged(line);
        for (const wanted of whole) expect(records).toContainEqual(wanted);
      },
    ),
    { numRuns: 500, seed: 20261115 },
  );
});

test("a line that would make too many values is not parsed", () => {
  const deep = `{"type":"x","id":1,"a":${"[".repeat(3_000)}${"]".repeat(3_000)}}`;
  const keys = Array.from({ length: limits.parsedWeight / 4 }, (_, index) => `"k${index}":1`);
  const wide = `{"type":"x","id":2,${keys.join(",")}}`;
  const list = `{"type":"x","id":3,"a":[1${",1".repeat(limits.parsedWeight)}]}`;
  for (const line of [deep, wide, list]) {
    expect(parseLine(Buffer.from(line), isRecord)).toEqual({ records: [], kind: "too_long" });
    const glued = Buffer.from(`${line}${JSON.stringify(record(4))}`);
    expect(parseLine(glued, isRecord)).toMatchObject({ records: [record(4)], kind: "spliced" });
  }
});

test("what looks like many values inside of strings is one value", () => {
  const text = '[{"a":1},'.repeat(limits.parsedWeight);
  const line = record(1, { text, escaped: '\\"['.repeat(5_000) });
  expect(parseLine(Buffer.from(JSON.stringify(line)))).toEqual({ records: [line] });
});
