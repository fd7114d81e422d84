import { isUtf8 } from "node:buffer";
import { isObject, type JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import type { Damage } from "../model/damage.ts";

/** Tells a record from an object that only lay inside one; used where a line had to be taken apart. */
export type Accepts = (candidate: JsonObject) => boolean;

/** What could be read of one line. A sound line has one record and no damage. */
export interface Salvaged {
  readonly records: readonly JsonObject[];
  readonly kind?: Damage["kind"];
}

/** Reads one line as a JSON object; a line that is not one is taken apart for what it still holds. */
export function parseLine(bytes: Buffer, accepts: Accepts = isObject): Salvaged {
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = bytes.toString("utf8", hasBom ? 3 : 0);
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) {
      // Decoding replaced what is not UTF-8: the record is there, but not all of its text.
      if (text.includes("\ufffd") && !isUtf8(bytes)) return { records: [value], kind: "bad_utf8" };
      return { records: [value] };
    }
    return { records: [], kind: "bad_record" };
  } catch {
    return salvage(text, accepts);
  }
}

/**
 * Takes a damaged line apart. Records lie end to end after a lost newline (`…}{…`), a torn record is
 * glued to the next one, or NULs stand where a page was lost: from every place where an object may
 * begin, the longest balanced object is tried, and what parses is kept.
 */
export function salvage(text: string, accepts: Accepts = isObject): Salvaged {
  const nul = text.includes("\u0000");
  const records: JsonObject[] = [];
  let at = text.indexOf("{");
  let attempts = 0;
  let torn = false;
  while (at >= 0 && attempts < limits.salvageAttempts) {
    attempts += 1;
    const end = objectEnd(text, at);
    const record = end === undefined ? undefined : objectIn(text, at, end);
    if (record !== undefined && end !== undefined && accepts(record)) {
      records.push(record);
      at = text.indexOf("{", end);
      continue;
    }
    torn = true;
    at = nextStart(text, at + 1);
  }
  if (nul) return { records, kind: "nul_run" };
  if (records.length > 0 && (torn || records.length > 1)) return { records, kind: "spliced" };
  return { records, kind: "bad_json" };
}

/** Where a record may begin again: objects inside a torn one are not records, so a key must follow. */
function nextStart(text: string, from: number): number {
  const shape = /\{\s*"[A-Za-z$_][\w$-]*"\s*:/g;
  shape.lastIndex = from;
  const found = shape.exec(text);
  return found === null ? -1 : found.index;
}

/** The index after the object that begins at `start`, by braces outside strings; undefined if it never closes. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b) depth += 1;
    else if (code === 0x7d) {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}

function objectIn(text: string, start: number, end: number): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text.slice(start, end));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
