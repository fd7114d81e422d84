import { isoOf, isoTime } from "../../base/clock.ts";

/** A moment as CrewAI writes one: ISO, with or without an offset, or what SQLite's clock says, which is UTC. */
export function momentOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const isBare = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?$/.test(value);
  return isoTime(isBare ? `${value.replace(" ", "T")}Z` : value);
}

/** The moment in the id of a checkpoint, to the second. */
export function momentOfId(id: string): string | undefined {
  const found = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)_/.exec(id);
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second] = found;
  return isoTime(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** Seconds since 1970, as a text or a number. */
export function momentOfSeconds(value: unknown): string | undefined {
  const seconds = Number(value);
  return seconds > 0 && seconds < 253_402_300_800 ? isoOf(Math.floor(seconds * 1000)) : undefined;
}
