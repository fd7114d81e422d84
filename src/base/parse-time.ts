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
 * A day without a time is its local midnight.
 */
export function parseTime(text: string, nowMs: number): number {
  const word = text.trim().toLowerCase();
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  if (word === "now") return nowMs;
  if (word === "today") return midnight;
  if (word === "yesterday") return new Date(midnight - 1).setHours(0, 0, 0, 0);
  const age = /^(\d{1,6})\s*(min|mo|m|h|d|w|y)$/.exec(word);
  if (age !== null) return nowMs - Number(age[1]) * spans[age[2]!]!;
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(word);
  const date =
    day === null
      ? /^\d{4}-\d{2}-\d{2}t/.test(word)
        ? new Date(text)
        : new Date(Number.NaN)
      : new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3]));
  if (Number.isNaN(date.getTime())) {
    throw new RepriseError("usage", `Not a time: ${text}`, {
      hint: "Write 2026-11-01, 2026-11-01T10:00, today, yesterday, or an age such as 3d, 12h, 2w.",
    });
  }
  return date.getTime();
}
