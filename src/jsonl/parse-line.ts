import { isUtf8 } from "node:buffer";
import { isObject } from "../base/json.ts";
import { type Accepts, type Salvaged, salvage } from "./salvage.ts";

/** Reads one line as a JSON object; a line that is not one is taken apart for what it still holds. */
export function parseLine(bytes: Buffer, accepts: Accepts = isObject): Salvaged {
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = bytes.toString("utf8", hasBom ? 3 : 0);
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) {
      // Decoding replaces what is not UTF-8: then the record is there, but not all of its text.
      const isSound = !text.includes("\ufffd") || isUtf8(bytes);
      return isSound ? { records: [value] } : { records: [value], kind: "bad_utf8" };
    }
    return { records: [], kind: "bad_record" };
  } catch {
    return salvage(text, accepts);
  }
}
