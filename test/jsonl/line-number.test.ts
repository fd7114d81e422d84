import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { lineNumber, linesBefore } from "../../src/jsonl/line-number.ts";
import { eventNumber } from "../../src/model/event-number.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const folder = temporaryFolder();

test("lines near the start are numbered by counting, later ones by their offset", () => {
  expect(lineNumber({ line: 57, offset: 0 })).toBe("57");
  expect(lineNumber({ line: 57, offset: limits.countedBytes - 1 })).toBe("57");
  expect(lineNumber({ line: 57, offset: limits.countedBytes })).toBe(`b${limits.countedBytes}`);
});

test("lines are counted up to an offset, and not at all beyond the limit", () => {
  const fd = openSync(join(folder, "lines"), "w+");
  try {
    const text = "a\nbb\n\n".repeat(100_000);
    writeSync(fd, text);
    expect(linesBefore(fd, 0)).toBe(0);
    expect(linesBefore(fd, 2)).toBe(1);
    expect(linesBefore(fd, 4)).toBe(1);
    expect(linesBefore(fd, text.length)).toBe(300_000);
    expect(linesBefore(fd, text.length, 6)).toBe(299_997);
    expect(linesBefore(fd, limits.countedBytes)).toBe(0);
  } finally {
    closeSync(fd);
  }
});

test("the first event of a record has the record's number, further ones count from two", () => {
  expect([1, 2, 3].map((event) => eventNumber(57, event))).toEqual(["57", "57.2", "57.3"]);
  expect(eventNumber("b123", 2)).toBe("b123.2");
});
