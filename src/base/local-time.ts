import { localDay } from "./days.ts";

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
  return `${localDay(new Date(iso).getTime())} ${clock}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
