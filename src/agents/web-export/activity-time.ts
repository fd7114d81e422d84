import { isoOf } from "../../base/clock.ts";

/** Languages whose names of months are known; Takeout writes in the language of the account. */
const languages = [
  ...["en", "en-GB", "de", "fr", "es", "pt", "pt-PT", "it", "nl", "sv", "da", "nb", "fi", "pl"],
  ...["cs", "sk", "hu", "ro", "tr", "ru", "uk", "id", "vi", "el", "ca"],
];

/** Hours that zones are ahead of UTC, by the names Takeout uses; others are taken for UTC. */
const zones: Readonly<Record<string, number>> = {
  ...{ EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7, AKST: -9, HST: -10 },
  ...{ BRT: -3, ART: -3, WEST: 1, BST: 1, CET: 1, MEZ: 1, CEST: 2, MESZ: 2, EET: 2, EEST: 3 },
  ...{ MSK: 3, TRT: 3, IST: 5.5, SGT: 8, HKT: 8, JST: 9, KST: 9, AEST: 10, AEDT: 11, NZST: 12 },
  ...{ SAST: 2, NZDT: 13 },
};

const clock = /(\d{1,2})([:.])(\d\d)\2(\d\d)(?!\d)/;
const afternoon = /\bp\.?\s?m\b|下午|午後|오후/i;
const forenoon = /\ba\.?\s?m\b|上午|午前|오전/i;
/** The longest way to write a moment. */
const longestChars = 80;

/** Whether a line is a moment as a page of activities writes it, in whatever language. */
export function isMoment(line: string): boolean {
  return line.length <= longestChars && clock.test(line) && /\d{4}/.test(line.replace(clock, ""));
}

/** The moment such a line means; undefined if its day is not understood. */
export function momentOfLine(line: string): string | undefined {
  const [whole = "", hours, , minutes, seconds] = clock.exec(line) ?? [];
  const day = dayIn(line.slice(0, line.indexOf(whole)));
  if (day === undefined) return undefined;
  const hour = (Number(hours) % 24) - (isTwelve(line, Number(hours)) ? 12 : 0);
  const shown = hour + (afternoon.test(line) && Number(hours) <= 12 ? 12 : 0);
  const ms = Date.UTC(day.year, day.month - 1, day.day, shown, Number(minutes), Number(seconds));
  const moment = new Date(ms);
  if (moment.getUTCMonth() !== day.month - 1) return undefined;
  return isoOf(ms - hoursAhead(line) * 3_600_000);
}

/** At twelve the hour of half a day is none. */
function isTwelve(line: string, hours: number): boolean {
  return hours === 12 && (afternoon.test(line) || forenoon.test(line));
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The day in what stands before the clock: with the name of a month, or with numbers. */
function dayIn(text: string): Day | undefined {
  const numbers = [...text.matchAll(/\d+/g)].map(([digits]) => digits);
  const year = numbers.find((digits) => digits.length === 4);
  const rest = numbers.filter((digits) => digits !== year).map(Number);
  if (year === undefined) return undefined;
  const named = [...text.toLowerCase().matchAll(/\p{L}[\p{L}\p{M}]*/gu)];
  const month = named.map(([word]) => months().get(word)).find((found) => found !== undefined);
  const [first = 0, second = 0] = rest;
  if (month !== undefined) return { year: Number(year), month, day: first };
  if (rest.length !== 2) return undefined;
  // Where the year stands first, the month follows; else days do, but for slashes of Americans.
  const isMonthFirst = numbers[0] === year || (text.includes("/") && second > 12);
  const [inYear, inMonth] = isMonthFirst ? [first, second] : [second, first];
  return { year: Number(year), month: inYear, day: inMonth };
}

function hoursAhead(line: string): number {
  const offset = /(?:GMT|UTC)\s?([+\-−])(\d{1,2})(?::?(\d\d))?/.exec(line);
  if (offset !== null) {
    const [, sign, hours, minutes = "0"] = offset;
    return (sign === "+" ? 1 : -1) * (Number(hours) + Number(minutes) / 60);
  }
  const name = /\b([A-Z]{3,5})\s*$/.exec(line)?.[1] ?? "";
  // Two zones have this name; the Chinese one comes with a Chinese date.
  if (name === "CST" && /[年月日]/.test(line)) return 8;
  return zones[name] ?? 0;
}

let known: ReadonlyMap<string, number> | undefined;

/** The months by their names, long and short, without dots. */
function months(): ReadonlyMap<string, number> {
  if (known !== undefined) return known;
  const names = new Map<string, number>();
  for (const language of languages) {
    for (const form of ["long", "short"] as const) {
      for (const parts of [{ month: form }, { day: "numeric", month: form }] as const) {
        const format = new Intl.DateTimeFormat(language, { ...parts, timeZone: "UTC" });
        for (let month = 1; month <= 12; month += 1) {
          const told = format.formatToParts(Date.UTC(2026, month - 1, 1));
          const name = told.find(({ type }) => type === "month")?.value.toLowerCase() ?? "";
          const plain = name.replaceAll(".", "");
          if (/\p{L}{3}/u.test(plain) && !names.has(plain)) names.set(plain, month);
        }
      }
    }
  }
  known = names;
  return names;
}
