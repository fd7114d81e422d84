import { validate, version } from "uuid";
import { expect, test } from "vitest";
import { sessionIdProblem, uuidv7 } from "../../src/base/ids.ts";

test("ids are valid version 7 UUIDs and sort by the time they were made, also within one millisecond", () => {
  const ids = Array.from({ length: 10_000 }, () => uuidv7(1_800_000_000_000));
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

test("a clock that goes backwards does not turn the order around", () => {
  const before = uuidv7(1_900_000_000_000);
  expect(uuidv7(1_700_000_000_000) > before).toBe(true);
});

test("an id that could be a path, a hidden file or a reserved name is refused", () => {
  const refused = [
    "",
    ".a",
    "a/b",
    "../a",
    "a\\b",
    "a b",
    "é",
    "a.",
    "CON",
    "nul.txt",
    "com1",
    "x".repeat(129),
  ];
  expect(refused.filter((id) => sessionIdProblem(id) === undefined)).toEqual([]);
  const allowed = ["a", "A-1_b.c", "-x", "0199-aa", "x".repeat(128), "console"];
  expect(allowed.filter((id) => sessionIdProblem(id) !== undefined)).toEqual([]);
});
