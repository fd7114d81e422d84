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

/** The same in at most four columns: `now`, `5m`, `3d`. */
export function shortAge(ms: number, nowMs: number): string {
  const text = relativeTime(ms, nowMs);
  if (text === "just now") return "now";
  return text
    .replace(/ min ago$/, "m")
    .replace(/ mo ago$/, "mo")
    .replace(/ ([a-z]) ago$/, "$1")
    .slice(0, 4);
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
