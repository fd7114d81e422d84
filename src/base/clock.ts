let lastMs = -1;
let lastIso = "";

/** The time now as the log writes it: ISO 8601, UTC, milliseconds. */
export function isoNow(): string {
  const now = Date.now();
  // Many appends share a millisecond, and formatting it costs more than looking.
  if (now !== lastMs) {
    lastMs = now;
    lastIso = isoOf(now);
  }
  return lastIso;
}

const dayMs = 86_400_000;

/**
 * A time of the years 1 to 9999 as ISO 8601. Counted here because the first date a process writes costs a hook as
 * much as reading its state. Years begin in March, so that the day that comes every four years is their last.
 */
export function isoOf(ms: number): string {
  const days = Math.floor(ms / dayMs);
  // Days since the first of March of the year 0, in periods of four hundred years.
  const sinceZero = days + 719_468;
  const period = Math.floor(sinceZero / 146_097);
  const day = sinceZero - period * 146_097;
  const leapDays = Math.floor(day / 1460) - Math.floor(day / 36_524) + Math.floor(day / 146_096);
  const year = Math.floor((day - leapDays) / 365);
  const dayOfYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const fullYear = year + period * 400 + (month <= 2 ? 1 : 0);
  const rest = ms - days * dayMs;
  const seconds = Math.floor(rest / 1000);
  const date = `${digits(fullYear, 4)}-${digits(month, 2)}-${digits(dayOfMonth, 2)}`;
  const hours = digits(Math.floor(seconds / 3600), 2);
  const minutes = digits(Math.floor(seconds / 60) % 60, 2);
  return `${date}T${hours}:${minutes}:${digits(seconds % 60, 2)}.${digits(rest % 1000, 3)}Z`;
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, "0");
}

/** Milliseconds of an ISO time, or undefined if it is none. */
export function timeOf(iso: unknown): number | undefined {
  if (typeof iso !== "string") return undefined;
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? undefined : ms;
}

const isoShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** A time from elsewhere as a log may write it: as it is where it has that form, else as what it means; or undefined. */
export function isoTime(text: unknown): string | undefined {
  const ms = timeOf(text);
  if (ms === undefined) return undefined;
  if (isoShape.test(text as string)) return text as string;
  return ms >= firstIsoMs && ms <= lastIsoMs ? isoOf(ms) : undefined;
}

const firstIsoMs = Date.UTC(1970, 0);
const lastIsoMs = Date.UTC(9999, 11, 31);

/** Milliseconds since this process started. Node loads `performance` at its first use, which costs a hook a millisecond. */
export function uptimeMs(): number {
  return process.uptime() * 1000;
}
