let lastMs = -1;
let lastIso = "";

/** The time now as the log writes it: ISO 8601, UTC, milliseconds. */
export function isoNow(): string {
  const now = Date.now();
  // Many appends share a millisecond, and formatting it costs more than looking.
  if (now !== lastMs) {
    lastMs = now;
    lastIso = new Date(now).toISOString();
  }
  return lastIso;
}

/** Milliseconds of an ISO time, or undefined if it is none. */
export function timeOf(iso: unknown): number | undefined {
  if (typeof iso !== "string") return undefined;
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Milliseconds since this process started. Node loads `performance` at its first use, which costs a hook a millisecond. */
export function uptimeMs(): number {
  return process.uptime() * 1000;
}
