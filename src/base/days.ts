const dayMs = 24 * 3600_000;

/** Some days in a row, each as `2026-11-15`; both ends belong to them. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

const months =
  /^(?:(jan)(?:uary)?|(feb)(?:ruary)?|(mar)(?:ch)?|(apr)(?:il)?|(may)|(june?)|(july?)|(aug)(?:ust)?|(sep)(?:t(?:ember)?)?|(oct)(?:ober)?|(nov)(?:ember)?|(dec)(?:ember)?)(?:\s+(\d{4}))?$/;

/**
 * The days a text means, if it means whole ones: `2026-11-15`, `2026-11`, `november` (the last one that has begun),
 * `nov 2026`, `today`, `yesterday`, or `this` or `last` with `week` or `month`. A week begins with Monday. Whether a
 * calendar has the days is not checked.
 */
export function daysNamed(text: string, today: string): Days | undefined {
  const word = text.trim().toLowerCase();
  switch (word) {
    case "today":
      return { first: today, last: today };
    case "yesterday":
      return daysFrom(dayAfter(today, -1), 1);
    case "this week":
      return daysFrom(weekOf(today), 7);
    case "last week":
      return daysFrom(dayAfter(weekOf(today), -7), 7);
    case "this month":
      return daysOfMonth(monthOf(today));
    case "last month":
      return daysOfMonth(monthOf(dayAfter(`${monthOf(today)}-01`, -1)));
  }
  if (/^\d{4}-\d{2}$/.test(word)) return daysOfMonth(word);
  const month = monthNamed(word, today);
  if (month !== undefined) return daysOfMonth(month);
  return /^\d{4}-\d{2}-\d{2}$/.test(word) ? { first: word, last: word } : undefined;
}

/** A month of a calendar, `2026-11`; without a year the last one that has begun. */
function monthNamed(word: string, today: string): string | undefined {
  const found = months.exec(word);
  if (found === null) return undefined;
  const number = String(found.slice(1, 13).findIndex((name) => name !== undefined) + 1);
  const of = (year: number | string): string => `${year}-${number.padStart(2, "0")}`;
  const [year, named] = [Number(today.slice(0, 4)), found[13]];
  if (named !== undefined) return of(named);
  return of(year) <= monthOf(today) ? of(year) : of(year - 1);
}

/** The day of a moment on this machine. */
export function localDay(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, "0");
  const year = String(date.getFullYear()).padStart(4, "0");
  return `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The day of a moment in UTC. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The Monday of a day's week. */
export function weekOf(day: string): string {
  const ms = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(ms)) return day;
  const weekday = (new Date(ms).getUTCDay() + 6) % 7;
  return utcDay(ms - weekday * dayMs);
}

/** The month of a day, `2026-11`. */
export function monthOf(day: string): string {
  return day.slice(0, -3);
}

/** All days of the week a day is in. */
export function daysOfWeek(day: string): Days {
  return daysFrom(weekOf(day), 7);
}

/** How many days two rows of days share. */
export function sharedDays(a: Days, b: Days): number {
  const first = a.first > b.first ? a.first : b.first;
  const last = a.last < b.last ? a.last : b.last;
  return first > last ? 0 : (Date.parse(last) - Date.parse(first)) / dayMs + 1;
}

function dayAfter(day: string, days: number): string {
  return utcDay(Date.parse(`${day}T00:00:00Z`) + days * dayMs);
}

function daysFrom(first: string, count: number): Days {
  return { first, last: dayAfter(first, count - 1) };
}

/** All days of a month. */
export function daysOfMonth(month: string): Days {
  const [year, number] = month.split("-").map(Number);
  return { first: `${month}-01`, last: utcDay(Date.UTC(year!, number!, 0)) };
}
