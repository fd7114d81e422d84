import type { ByteWindow } from "../../../base/byte-window.ts";
import { type JsonObject, parseObjectBytes } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { type Element, nextElement, resync } from "../../../json/array-elements.ts";
import { isRecord } from "../record-types.ts";

/** Where a record may begin. A quote inside a string is escaped, so text never looks like this. */
const recordShape =
  /^\{\s*"(\$set|\$rewindTo|sessionId)"\s*:|^\{\s*"id"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"(timestamp|type)"\s*:/;

/**
 * The whole records of a damaged range: after a lost newline they lie end to end, after a kill a torn one is
 * glued to the next. Each is found with its bytes, so that it can be read again.
 */
export function* wholeRecords(
  window: ByteWindow,
  from: number,
): Generator<Element & { readonly record: JsonObject }> {
  let start = resync(window, { from, shape: recordShape });
  for (let attempts = 0; start !== undefined && attempts < limits.resyncAttempts; ) {
    const step = nextElement(window, start);
    const found = step.kind === "element" ? step : undefined;
    const record =
      found === undefined ? undefined : parseObjectBytes(window.range(found.offset, found.length));
    if (found !== undefined && record !== undefined && isRecord(record)) {
      yield { offset: found.offset, length: found.length, record };
      start = resync(window, { from: found.offset + found.length, shape: recordShape });
      continue;
    }
    attempts += 1;
    start = resync(window, { from: start + 1, shape: recordShape });
  }
}
