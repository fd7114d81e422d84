import { isObject, type JsonObject, parseObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import type { Damage } from "../model/damage.ts";
import { decodeUtf8 } from "./decode.ts";
import { parseLazily } from "./lazy-texts.ts";
import { scanObject } from "./scan-object.ts";

/** Tells a record from an object that only lay inside one; used where a line had to be taken apart. */
export type Accepts = (candidate: JsonObject) => boolean;

/** How a line is read. */
export interface LineOptions {
  /** Long texts become strings only where somebody reads them. */
  readonly lazyTexts?: boolean | undefined;
}

/** What could be read of one line. A sound line has one record and no damage. */
export interface Salvaged {
  readonly records: readonly JsonObject[];
  readonly kind?: Damage["kind"];
}

/**
 * Reads one line as a JSON object; a line that is not one is taken apart for what it still holds. Long texts
 * may be left to whoever reads them.
 */
export function parseLine(
  bytes: Buffer,
  accepts: Accepts = isObject,
  options: LineOptions = {},
): Salvaged {
  const lazy = options.lazyTexts ? parseLazily(bytes) : undefined;
  if (lazy !== undefined) return { records: [lazy] };
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const { text, sound } = decodeUtf8(hasBom ? bytes.subarray(3) : bytes);
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) {
      // The record is there, but not all of its text.
      return sound ? { records: [value] } : { records: [value], kind: "bad_utf8" };
    }
    return { records: [], kind: "bad_record" };
  } catch {
    return salvage(text, accepts);
  }
}

/**
 * Takes a damaged line apart. Records lie end to end after a lost newline (`…}{…`), a torn record is
 * glued to the next one, or NULs stand where a page was lost. The line is read once from left to right:
 * where an object stops being JSON, the next record begins right there, right before, or later. An
 * object inside a whole or torn one is not a record; what remains doubtful `accepts` decides.
 */
export function salvage(text: string, accepts: Accepts = isObject): Salvaged {
  const records: JsonObject[] = [];
  const keep = (start: number, end: number): void => {
    const record = parseObject(text.slice(start, end));
    if (record !== undefined && accepts(record)) records.push(record);
  };
  let at = text.indexOf("{");
  while (at >= 0 && records.length < limits.salvagedRecords) {
    const found = scanObject(text, at);
    if (found.end !== undefined) {
      keep(at, found.end);
      at = text.indexOf("{", found.end);
      continue;
    }
    if (found.closed !== undefined) keep(found.closed.start, found.closed.end);
    at = nextStart(text, { after: found.closed?.end ?? at + 1, stoppedAt: found.stoppedAt });
  }
  if (text.includes("\u0000")) return { records, kind: "nul_run" };
  return { records, kind: records.length > 0 ? "spliced" : "bad_json" };
}

/** How far before the break a record can begin: a string torn open swallows `{"` of the next one. */
const glueChars = 8;

/** The next place a record may begin once reading stopped; always further on, so that time stays linear. */
function nextStart(
  text: string,
  place: { readonly after: number; readonly stoppedAt: number },
): number {
  const earliest = Math.max(place.after, place.stoppedAt - glueChars);
  const before = text.lastIndexOf("{", place.stoppedAt);
  return before >= earliest ? before : text.indexOf("{", Math.max(earliest, place.stoppedAt));
}
