import { RepriseError } from "../../base/errors.ts";

/** The day a moment falls on, `2026-11-15`, in one time zone. */
export type DayOf = (atMs: number) => string;

/** Zones differ by whole quarters of an hour, and change over at such: within one it is the same day. */
export const slotMs = 15 * 60_000;

/** Days in a named time zone, or in this machine's where none is named; throws `usage` for an unknown name. */
export function calendarOf(zone: string | undefined): DayOf {
  const dayOfSlot = zone === undefined ? localDay : zone === "UTC" ? utcDay : zonedDay(zone);
  const known = new Map<number, string>();
  return (atMs) => {
    const slot = Math.floor(atMs / slotMs);
    let day = known.get(slot);
    if (day === undefined) {
      day = dayOfSlot(slot * slotMs);
      known.set(slot, day);
    }
    return day;
  };
}

function localDay(ms: number): string {
  const date = new Date(ms);
  return dayText(date.getFullYear(), date.getMonth() + 1, date.getDate());
}

function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function zonedDay(zone: string): DayOf {
  let format: Intl.DateTimeFormat;
  try {
    const parts = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
    format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, ...parts });
  } catch {
    throw new RepriseError("usage", `There is no time zone ${JSON.stringify(zone)}.`, {
      hint: "Name one as Europe/Paris, America/New_York or UTC.",
    });
  }
  return (ms) => format.format(ms);
}

/** The day before a day. */
export function dayBefore(day: string): string {
  return utcDay(Date.parse(`${day}T00:00:00Z`) - 24 * 3600_000);
}

/** The Monday of a day's week. */
export function weekOf(day: string): string {
  const ms = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(ms)) return day;
  const weekday = (new Date(ms).getUTCDay() + 6) % 7;
  return utcDay(ms - weekday * 24 * 3600_000);
}

/** The month of a day, `2026-11`. */
export function monthOf(day: string): string {
  return day.slice(0, -3);
}

function dayText(year: number, month: number, day: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}
