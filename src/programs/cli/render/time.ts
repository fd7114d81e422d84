import { dayTime } from "../../../base/local-time.ts";

const units = [
  { name: "y", ms: 365 * 24 * 3600_000 },
  { name: "mo", ms: 30 * 24 * 3600_000 },
  { name: "w", ms: 7 * 24 * 3600_000 },
  { name: "d", ms: 24 * 3600_000 },
  { name: "h", ms: 3600_000 },
  { name: "min", ms: 60_000 },
] as const;

/** From this age on a day says more than how many months ago it was: many sessions are as old. */
const dayFromMs = 30 * 24 * 3600_000;

/** How long ago something was, in one unit: `just now`, `5 min ago`, `3 w ago`; of what is older its day. */
export function relativeTime(ms: number, nowMs: number): string {
  return nowMs - ms >= dayFromMs ? isoDay(ms) : ageText(ms, nowMs);
}

function ageText(ms: number, nowMs: number): string {
  const age = nowMs - ms;
  if (Number.isNaN(age)) return "";
  if (age < -60_000) return isoDay(ms);
  for (const unit of units) {
    if (age >= unit.ms) return `${Math.floor(age / unit.ms)} ${unit.name} ago`;
  }
  return "just now";
}

/** The same in at most four columns: `now`, `5m`, `3d`. */
export function shortAge(ms: number, nowMs: number): string {
  const text = ageText(ms, nowMs);
  if (text === "just now") return "now";
  return text
    .replace(/ min ago$/, "m")
    .replace(/ mo ago$/, "mo")
    .replace(/ ([a-z]) ago$/, "$1")
    .slice(0, 4);
}

/** A span of time as the end of a sentence, `between 2026-01-01 and 2026-01-31`; days where it is whole days. */
export function spanText(sinceMs: number | undefined, untilMs: number | undefined): string {
  const since = sinceMs === undefined ? "" : momentText(sinceMs, sinceMs);
  const until = untilMs === undefined ? "" : momentText(untilMs, untilMs + 1000);
  if (since !== "" && until !== "") return `between ${since} and ${until}`;
  return since === "" ? `until ${until}` : `since ${since}`;
}

/** A moment, as its day where `edgeMs` is within the first second of one. */
function momentText(ms: number, edgeMs: number): string {
  const edge = new Date(edgeMs);
  const isDay = edge.getHours() + edge.getMinutes() + edge.getSeconds() === 0;
  return isDay ? isoDay(ms) : dayTime(new Date(ms).toISOString());
}

/** The local day of a moment, `2026-11-15`. */
export function isoDay(ms: number): string {
  const date = new Date(ms);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
