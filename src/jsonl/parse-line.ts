import { isUtf8 } from "node:buffer";
import { isObject } from "../base/json.ts";
import { areTooHeavy } from "../base/json-weight.ts";
import { type Accepts, type Salvaged, salvage } from "./salvage.ts";

/**
 * Reads one line as a JSON object; a line that is not one is taken apart for what it still holds. One that would make
 * too many values is as a line that is too long.
 */
export function parseLine(
  bytes: Buffer,
  accepts: Accepts = isObject,
  { unweighedChars }: { readonly unweighedChars?: number } = {},
): Salvaged {
  if (areTooHeavy(bytes, unweighedChars)) {
    const salvaged = salvage(bytes, accepts);
    return salvaged.records.length > 0 ? salvaged : { records: [], kind: "too_long" };
  }
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
    return salvage(bytes, accepts);
  }
}
