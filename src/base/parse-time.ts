import { RepriseError } from "./errors.ts";

const spans: Readonly<Record<string, number>> = {
  m: 60_000,
  min: 60_000,
  h: 3600_000,
  d: 24 * 3600_000,
  w: 7 * 24 * 3600_000,
  mo: 30 * 24 * 3600_000,
  y: 365 * 24 * 3600_000,
};

/**
 * The instant a user means: `2026-11-01`, an ISO time, `today`, `yesterday`, or an age such as `3d`.
 * A day without a time is its local midnight; a day no calendar has is a `usage` error, as is all the rest.
 */
export function parseTime(text: string, nowMs: number): number {
  const ms = instantOf(text, nowMs);
  if (ms !== undefined) return ms;
  throw new RepriseError("usage", `Not a time: ${text}`, {
    hint: "Write 2026-11-01, 2026-11-01T10:00, today, yesterday, or an age such as 3d, 12h, 2w.",
  });
}

/** Whether `parseTime` takes a text. */
export function isTime(text: string): boolean {
  return instantOf(text, 0) !== undefined;
}

function instantOf(text: string, nowMs: number): number | undefined {
  const word = text.trim().toLowerCase();
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  if (word === "now") return nowMs;
  if (word === "today") return midnight;
  if (word === "yesterday") return new Date(midnight - 1).setHours(0, 0, 0, 0);
  const age = /^(\d{1,6})\s*(min|mo|m|h|d|w|y)$/.exec(word);
  if (age !== null) return nowMs - Number(age[1]) * spans[age[2]!]!;
  const day = /^(\d{4})-(\d{2})-(\d{2})(t|$)/.exec(word);
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
