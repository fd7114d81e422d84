import { expect, test } from "vitest";
import { clockTime, dayTime } from "../../../src/base/local-time.ts";
import { isTime, parseTime, parseUntil } from "../../../src/base/parse-time.ts";
import { parseSize, sizeText } from "../../../src/programs/cli/render/size.ts";
import { relativeTime, shortAge } from "../../../src/programs/cli/render/time.ts";

const now = Date.parse("2026-11-15T12:00:00.000Z");
const hour = 3600_000;

test("an age is told in its largest unit", () => {
  expect(relativeTime(now - 5_000, now)).toBe("just now");
  expect(relativeTime(now - 5 * 60_000, now)).toBe("5 min ago");
  expect(relativeTime(now - 3 * hour, now)).toBe("3 h ago");
  expect(relativeTime(now - 49 * hour, now)).toBe("2 d ago");
  expect(relativeTime(now - 24 * 29 * hour, now)).toBe("4 w ago");
  expect(relativeTime(Number.NaN, now)).toBe("");
});

test("what is older than a month is told by its day: so many are as many months old", () => {
  expect(relativeTime(now - 24 * 30 * hour, now)).toBe("2026-10-16");
  expect(relativeTime(now - 24 * 400 * hour, now)).toBe("2025-10-11");
  expect(shortAge(now - 24 * 70 * hour, now)).toBe("2mo");
});

test("a time in the future is told as its day", () => {
  expect(relativeTime(now + 48 * hour, now)).toBe("2026-11-17");
});

test("ages, days and words are understood as times", () => {
  expect(parseTime("3h", now)).toBe(now - 3 * hour);
  expect(parseTime("2w", now)).toBe(now - 14 * 24 * hour);
  expect(parseTime("2026-11-01", now)).toBe(new Date(2026, 10, 1).getTime());
  expect(parseTime("2026-11-01T10:00:00Z", now)).toBe(Date.parse("2026-11-01T10:00:00Z"));
  expect(parseTime("today", now)).toBe(new Date(now).setHours(0, 0, 0, 0));
  expect(parseTime("2024-02-29", now)).toBe(new Date(2024, 1, 29).getTime());
  expect(["2026-11-01", "3d", "2026-11-01T10:00", "today"].every(isTime)).toBe(true);
  expect(parseTime("yesterday", now)).toBeLessThan(parseTime("today", now));
  expect(parseTime("2 weeks", now)).toBe(parseTime("2w", now));
  expect(parseTime("6 months ago", now)).toBe(parseTime("6mo", now));
  expect(parseTime("3d ago", now)).toBe(parseTime("3d", now));
  expect(parseTime("1 month", now)).toBe(parseTime("1mo", now));
  expect(parseTime("2026-11", now)).toBe(new Date(2026, 10, 1).getTime());
  expect(parseTime("Last month", now)).toBe(new Date(2026, 9, 1).getTime());
});

test("until days means until their end, until a moment means that moment", () => {
  expect(parseUntil("2026-11-01", now)).toBe(new Date(2026, 10, 2).getTime() - 1);
  expect(parseUntil("2026-02", now)).toBe(new Date(2026, 2, 1).getTime() - 1);
  expect(parseUntil("last month", now)).toBe(new Date(2026, 10, 1).getTime() - 1);
  expect(parseUntil("3d", now)).toBe(parseTime("3d", now));
  expect(() => parseUntil("2026-13", now)).toThrowError(/Not a time/);
});

test.each([
  "",
  "soon",
  "3 parsecs",
  "ago",
  "yesterday ago",
  "-3d",
  "2026-13-45T00:00",
  "12345678901234d",
  "2026-02-31",
  "2026-99-99",
  "2026-13",
  "last year",
  "2026-11-00",
  "2026-02-31T10:00",
])("%j is refused as a time", (text) => {
  expect(() => parseTime(text, now)).toThrowError(/Not a time/);
  expect(isTime(text)).toBe(false);
});

test("a broken time of an event prints as nothing", () => {
  expect(clockTime("yesterday-ish")).toBe("");
  expect(dayTime(undefined)).toBe("");
});

test("sizes are told in the unit people read", () => {
  expect([0, 812, 4300, 13 * 1024 ** 2, 2.1 * 1024 ** 3].map(sizeText)).toEqual([
    "0 B",
    "812 B",
    "4.2 KB",
    "13 MB",
    "2.1 GB",
  ]);
});

test("sizes are understood with and without a unit", () => {
  expect(parseSize("500")).toBe(500);
  expect(parseSize("64KB")).toBe(65536);
  expect(parseSize("1.5 gb")).toBe(1.5 * 1024 ** 3);
});

test.each(["", "big", "-1", "1e9", "5 XB"])("%j is refused as a size", (text) => {
  expect(() => parseSize(text)).toThrowError(/Not a size/);
});
