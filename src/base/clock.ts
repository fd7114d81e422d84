/** The time now as the log writes it: ISO 8601, UTC, milliseconds. */
export function isoNow(): string {
  return new Date().toISOString();
}

/** Milliseconds of an ISO time, or undefined if it is none. */
export function timeOf(iso: unknown): number | undefined {
  if (typeof iso !== "string") return undefined;
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? undefined : ms;
}
