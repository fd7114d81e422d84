import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { linesBackward } from "../../src/jsonl/read-backward.ts";
import { linesForward } from "../../src/jsonl/read-forward.ts";
import { recordsForward } from "../../src/jsonl/records.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const folder = temporaryFolder();
const path = join(folder, "file.jsonl");

function records(content: string, options: Parameters<typeof recordsForward>[1] = {}) {
  writeFileSync(path, content);
  const fd = openSync(path, "r");
  try {
    return [...recordsForward(fd, options)];
  } finally {
    closeSync(fd);
  }
}

test("records keep their line numbers and offsets over blank lines", () => {
  const found = records('{"a":1}\n\n  \r\n{"a":2}\r\n');
  expect(found.map(({ line, offset, records }) => [line, offset, records])).toEqual([
    [1, 0, [{ a: 1 }]],
    [4, 13, [{ a: 2 }]],
  ]);
});

test("line numbers go on where reading goes on", () => {
  const [second] = records('{"a":1}\n{"a":2}\n', { from: 8, firstLine: 2 });
  expect([second?.line, second?.records]).toEqual([2, [{ a: 2 }]]);
});

test("an incomplete last line that is whole JSON is a record", () => {
  expect(records('{"a":1}').map(({ records, complete }) => [records, complete])).toEqual([
    [[{ a: 1 }], false],
  ]);
});

test("an incomplete last line that is none is a torn tail", () => {
  expect(records('{"a":1}\n{"a":').at(-1)?.damage).toEqual({
    kind: "torn_tail",
    offset: 8,
    length: 5,
    recovered: 0,
  });
});

test("damage in the middle costs its own line and is told with what was recovered", () => {
  const found = records('{"a":1}\n{"b":"x{"a":2}\nnoise\n{"a":3}\n', {
    accepts: (value) => "a" in value,
  });
  expect(found.flatMap(({ records }) => records)).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
  expect(found.flatMap(({ damage }) => damage ?? [])).toEqual([
    { kind: "spliced", offset: 8, length: 15, recovered: 1 },
    { kind: "bad_json", offset: 23, length: 6, recovered: 0 },
  ]);
});

test("lines a byte test passes over are not parsed but counted", () => {
  const found = records('broken\n{"a":1}\n', { skip: (line) => line.bytes[0] !== 0x7b });
  expect(found.map(({ line, damage }) => [line, damage])).toEqual([[2, undefined]]);
});

test("a limit holds to the byte, in both directions", () => {
  writeFileSync(path, `${"x".repeat(100)}\n${"x".repeat(101)}\n${"x".repeat(100)}`);
  const fd = openSync(path, "r");
  const tooLong = (lines: Iterable<{ readonly tooLong: boolean }>) =>
    [...lines].map((line) => line.tooLong);
  expect(tooLong(linesForward(fd, { maxLineBytes: 100 }))).toEqual([false, true, false]);
  expect(tooLong(linesBackward(fd, { maxLineBytes: 100 }))).toEqual([false, true, false]);
  closeSync(fd);
});

test("a line of 300 MB is told as too long, its neighbours are read, memory stays flat", () => {
  const bytes = 300 * 1024 * 1024;
  const fd = openSync(path, "w+");
  writeSync(fd, '{"a":1}\n{"a":"', 0);
  // A hole: it takes no room on the disk and reads as NULs.
  ftruncateSync(fd, bytes);
  writeSync(fd, '"}\n{"a":3}\n', bytes);
  const before = process.memoryUsage().rss;
  let peak = before;
  const kinds: (string | undefined)[] = [];
  for (const record of recordsForward(fd)) {
    peak = Math.max(peak, process.memoryUsage().rss);
    kinds.push(record.damage?.kind);
  }
  const backward = [...linesBackward(fd)].map((line) => line.tooLong);
  peak = Math.max(peak, process.memoryUsage().rss);
  closeSync(fd);
  expect(kinds).toEqual([undefined, "too_long", undefined]);
  expect(backward).toEqual([false, true, false]);
  expect(peak - before).toBeLessThan(limits.foreignLineBytes / 2);
});
