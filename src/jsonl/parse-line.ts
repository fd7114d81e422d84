import { isObject } from "../base/json.ts";
import { decodeUtf8 } from "./decode.ts";
import { type Accepts, type Salvaged, salvage } from "./salvage.ts";

/** Reads one line as a JSON object; a line that is not one is taken apart for what it still holds. */
export function parseLine(bytes: Buffer, accepts: Accepts = isObject): Salvaged {
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
