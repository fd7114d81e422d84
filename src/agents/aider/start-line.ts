import { createHash } from "node:crypto";

/** How a run of the program begins in the history. */
export const startMark = "# aider chat started at ";

const shape = /^# aider chat started at (\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\s*$/;

/** The time a start line states, as text; undefined if the line is none. */
export function startedIn(line: string): string | undefined {
  return shape.test(line) ? line.slice(startMark.length).trim() : undefined;
}

/** The moment of a start line. The program writes local time, so this machine's zone decides. */
export function momentOf(started: string): string | undefined {
  const found = shape.exec(startMark + started);
  if (found === null) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1).map(Number);
  const date = new Date(year!, month! - 1, day!, hour!, minute!, second!);
  // A date that does not exist, such as the 31st of February, silently becomes another one.
  if (date.getDate() !== day || date.getMonth() !== month! - 1) return undefined;
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/**
 * The id of a run, which the format does not have: a hash of the file, the start time, and the place among
 * runs that started in the same second. It survives appends, and old runs being cut away.
 */
export function runId(path: string, started: string, twin: number): string {
  return createHash("sha256").update(`${path}\0${started}\0${twin}`).digest("hex").slice(0, 16);
}
