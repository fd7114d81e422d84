import { localDay, utcDay } from "../../base/days.ts";
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
