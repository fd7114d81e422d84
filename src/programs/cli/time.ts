import { RepriseError } from "../../base/errors.ts";

const units = [
  { name: "y", ms: 365 * 24 * 3600_000 },
  { name: "mo", ms: 30 * 24 * 3600_000 },
  { name: "w", ms: 7 * 24 * 3600_000 },
  { name: "d", ms: 24 * 3600_000 },
  { name: "h", ms: 3600_000 },
  { name: "min", ms: 60_000 },
] as const;

/** How long ago something was, in one unit: `just now`, `5 min ago`, `3 d ago`. */
export function relativeTime(ms: number, nowMs: number): string {
  const age = nowMs - ms;
  if (Number.isNaN(age)) return "";
  if (age < -60_000) return isoDay(ms);
  for (const unit of units) {
    if (age >= unit.ms) return `${Math.floor(age / unit.ms)} ${unit.name} ago`;
  }
  return "just now";
}

/** The local clock time of an event, `14:03`; empty where it has none. */
export function clockTime(iso: string | undefined): string {
  const date = iso === undefined ? undefined : new Date(iso);
  if (date === undefined || Number.isNaN(date.getTime())) return "";
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The local day and clock time, `2026-11-15 14:03`. */
export function dayTime(iso: string | undefined): string {
  const clock = clockTime(iso);
  if (iso === undefined || clock === "") return "";
  return `${isoDay(new Date(iso).getTime())} ${clock}`;
}

function isoDay(ms: number): string {
  const date = new Date(ms);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

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
