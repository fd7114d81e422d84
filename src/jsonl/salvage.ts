import { isObject, type JsonObject, parseObject } from "../base/json.ts";
import { isTooHeavy } from "../base/json-weight.ts";
import { limits } from "../base/limits.ts";
import { scanObject } from "../json/scan-object.ts";
import type { Damage } from "../model/damage.ts";

/** Says a record from an object that only lay inside one; used where a line had to be taken apart. */
export type Accepts = (candidate: JsonObject) => boolean;

/** What could be read of one line. A sound line has one record and no damage. */
export interface Salvaged {
  readonly records: readonly JsonObject[];
  readonly kind?: Damage["kind"];
  /** Where each record stands in the line, where the line had to be taken apart. */
  readonly places?: readonly RecordPlace[];
}

/** Bytes of a line, counted from its start. */
export interface RecordPlace {
  readonly start: number;
  readonly end: number;
}

/**
 * Takes a damaged line apart. Records lie end to end after a lost newline (`…}{…`), a torn record is
 * glued to the next one, or NULs stand where a page was lost. The line is read once from left to right:
 * where an object stops being JSON, the next record begins right there, right before, or later. An
 * object inside a whole or torn one is not a record; what remains doubtful `accepts` decides.
 */
export function salvage(bytes: Buffer, accepts: Accepts = isObject): Salvaged {
  const records: JsonObject[] = [];
  const places: RecordPlace[] = [];
  // Every byte a character: what makes an object is ASCII, and its place is one in the file.
  const text = bytes.toString("latin1");
  const keep = (start: number, end: number): void => {
    // Weighed as it is: of what is too heavy no other text is made.
    const record = isTooHeavy(text.slice(start, end))
      ? undefined
      : parseObject(bytes.toString("utf8", start, end));
    if (record === undefined || !accepts(record)) return;
    records.push(record);
    places.push({ start, end });
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
  const kind = records.length > 0 ? "spliced" : "bad_json";
  return { records, places, kind: bytes.includes(0) ? "nul_run" : kind };
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
