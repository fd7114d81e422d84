import { expect, test } from "vitest";
import { daysNamed } from "../../src/base/days.ts";

test.each([
  ["today", "2026-11-18", "2026-11-18"],
  ["Yesterday", "2026-11-17", "2026-11-17"],
  ["this week", "2026-11-16", "2026-11-22"],
  ["last week", "2026-11-09", "2026-11-15"],
  ["this month", "2026-11-01", "2026-11-30"],
  ["last month", "2026-10-01", "2026-10-31"],
  ["2026-02", "2026-02-01", "2026-02-28"],
  ["2026-11-01", "2026-11-01", "2026-11-01"],
  ["July", "2026-07-01", "2026-07-31"],
  ["nov", "2026-11-01", "2026-11-30"],
  ["december", "2025-12-01", "2025-12-31"],
  ["Sept 2024", "2024-09-01", "2024-09-30"],
])("%s means whole days", (text, first, last) => {
  expect(daysNamed(text, "2026-11-18")).toEqual({ first, last });
});

test("last month and last week reach into the year before", () => {
  expect(daysNamed("last month", "2026-01-31")?.first).toBe("2025-12-01");
  expect(daysNamed("last week", "2026-01-01")).toEqual({ first: "2025-12-22", last: "2025-12-28" });
});

test.each([
  "",
  "3d",
  "sepember",
  "week",
  "2026",
  "julian",
  "may be",
  "ma",
  "6 may",
  "2026-11-01T10:00",
])("%j means no whole days", (text) => {
  expect(daysNamed(text, "2026-11-18")).toBeUndefined();
});
