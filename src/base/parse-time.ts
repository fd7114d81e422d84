import { daysNamed, localDay } from "./days.ts";
import { RepriseError } from "./errors.ts";

const spans: Readonly<Record<string, number>> = {
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  h: 3600_000,
  hour: 3600_000,
  d: 24 * 3600_000,
  day: 24 * 3600_000,
  w: 7 * 24 * 3600_000,
  week: 7 * 24 * 3600_000,
  mo: 30 * 24 * 3600_000,
  month: 30 * 24 * 3600_000,
  y: 365 * 24 * 3600_000,
  year: 365 * 24 * 3600_000,
};

/**
 * The instant a user means: days (`daysNamed`), an ISO time, or an age such as `3d` or `2 weeks ago`.
 * Days mean the local midnight they begin with; a day no calendar has is a `usage` error, as is all the rest.
 */
export function parseTime(text: string, nowMs: number): number {
  const ms = instantOf(text, nowMs);
  if (ms !== undefined) return ms;
  throw new RepriseError("usage", `Not a time: ${text}`, {
    hint: "Write 2026-11-01, 2026-11, 2026-11-01T10:00, november, today, yesterday, this week, last month, or an age such as 3d, 12h, 2 weeks, 6 months ago.",
  });
}

/** The last instant a user means who says until when: of days (`daysNamed`) their end, else what `parseTime` says. */
export function parseUntil(text: string, nowMs: number): number {
  const ms = parseTime(text, nowMs);
  const last = daysNamed(text, localDay(nowMs))?.last;
  if (last === undefined) return ms;
  const [year, month, day] = last.split("-").map(Number);
  return new Date(year!, month! - 1, day! + 1).getTime() - 1;
}

/** Whether `parseTime` takes a text. */
export function isTime(text: string): boolean {
  return instantOf(text, 0) !== undefined;
}

/** The milliseconds of an age such as `3d` or `2 weeks`; undefined if a text is none. */
export function parseSpan(text: string): number | undefined {
  const age = /^(\d{1,6})\s*(min|mo|m|h|d|w|y|(?:minute|hour|day|week|month|year)s?)$/.exec(
    text.trim().toLowerCase(),
  );
  return age === null ? undefined : Number(age[1]) * spans[age[2]!.replace(/s$/, "")]!;
}

function instantOf(text: string, nowMs: number): number | undefined {
  const word = text.trim().toLowerCase();
  if (word === "now") return nowMs;
  const span = parseSpan(word.replace(/\s+ago$/, ""));
  // Longer ago than any clock counts is since ever.
  if (span !== undefined) return Math.max(0, nowMs - span);
  const first = daysNamed(word, localDay(nowMs))?.first ?? word;
  const day = /^(\d{4})-(\d{2})-(\d{2})(t|$)/.exec(first);
  if (day === null) return undefined;
  const beginning = beginningOf(Number(day[1]), Number(day[2]), Number(day[3]));
  if (beginning === undefined || day[4] === "") return beginning;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** The local midnight a day begins with; undefined if the month has no such day: `Date` would count on. */
function beginningOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(year, month - 1, day);
  const isSame =
    date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day;
  return isSame ? date.getTime() : undefined;
}
